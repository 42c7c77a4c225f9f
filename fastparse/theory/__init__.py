"""Configurations, derivations, composed systems: what can be built, and how."""
