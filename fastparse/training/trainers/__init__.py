"""The inner loops of training, compiled: one per strategy of search."""
