"""A class per transition system, each by its definition alone."""
