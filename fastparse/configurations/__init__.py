"""Configurations as Python sees them: one move at a time, branching, and all that can be reached."""
