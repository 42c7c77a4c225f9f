"""What every transition system is made of: cells, states, arenas, and the operations on them."""
