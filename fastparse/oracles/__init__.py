"""Static oracles (one per system), derivations and transition counts."""
