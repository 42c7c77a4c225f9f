"""Transition systems: configurations in C structs, one system per file."""
