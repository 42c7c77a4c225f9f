"""Running oracles: over a tree, over a treebank, and counting moves."""
