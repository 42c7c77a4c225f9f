"""The moves of 2-planar."""

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, SWITCH, N_MOVES
