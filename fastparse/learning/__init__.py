"""Learning models from treebanks."""
