"""Static oracles: for each system, one derivation of a tree."""
