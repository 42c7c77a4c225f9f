"""Sentences of other libraries, as columns and back."""
