"""From the bytes of CoNLL-U and CoNLL-X to columns."""
