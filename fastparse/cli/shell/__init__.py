"""Commands that print what a shell and its manual read."""
