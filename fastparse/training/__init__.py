"""Learning weights from treebanks."""
