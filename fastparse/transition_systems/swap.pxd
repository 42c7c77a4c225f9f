"""The moves of swap, for its oracles."""

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, SWAP, N_MOVES
