"""Strings as ids: tables, hashes, growing arrays."""
