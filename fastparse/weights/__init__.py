"""Weights: being learnt, compiled, in files."""
