"""The moves of swap."""

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, SWAP, N_MOVES
