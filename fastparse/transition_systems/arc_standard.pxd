"""The moves of arc-standard."""

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, N_MOVES
