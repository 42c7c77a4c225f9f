"""Which moves build a given tree: static and dynamic oracles, derivations and transition counts."""
