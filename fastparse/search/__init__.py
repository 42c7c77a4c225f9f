"""Greedy and beam search over the same system files."""
