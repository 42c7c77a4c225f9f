"""Treebanks in memory and on disk: reading, columns, writing."""
