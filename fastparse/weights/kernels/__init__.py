"""Sums of rows, per instruction set."""
