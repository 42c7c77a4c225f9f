"""Transition systems: a module each with its moves and oracles, and the table of their names."""
