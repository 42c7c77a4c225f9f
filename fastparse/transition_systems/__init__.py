"""The transition systems: the moves of each in a file of its own, and the table of their names."""
