"""Kinds of search: what each is made of, an object per kind."""
