"""The orders in which states are looked at: greedily, in a beam, by easy-first, in three steps."""
