"""The moves of hybrid."""

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, N_MOVES
