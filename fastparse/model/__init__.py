"""Weights: learning table, compiled table, model files."""
