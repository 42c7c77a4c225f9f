"""Compiled loops over derivations."""
