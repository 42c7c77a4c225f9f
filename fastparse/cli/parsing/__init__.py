"""Commands through which treebanks and running text go."""
