"""What the components of a model give sentences: one after the other, batch after batch."""
