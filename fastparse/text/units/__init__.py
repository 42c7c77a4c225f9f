"""A unit of text, which ends for certain where the next one begins: its characters and their kinds."""
