"""Transition systems: a module each, and the table of their names."""
