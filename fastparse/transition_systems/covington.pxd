"""The moves of covington's algorithm as a transition system."""

cdef enum:
    SHIFT, NO_ARC, LEFT_ARC, RIGHT_ARC, N_MOVES
