"""Timing, coverage and accuracy studies; the tables of the papers."""
