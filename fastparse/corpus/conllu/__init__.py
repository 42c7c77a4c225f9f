"""CoNLL-U: bytes to columns, and columns to bytes."""
