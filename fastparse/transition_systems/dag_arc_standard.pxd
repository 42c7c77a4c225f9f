"""The moves of arc-standard for directed acyclic graphs."""

cdef enum:
    SHIFT, LEFT_REDUCE, RIGHT_REDUCE, LEFT_ATTACH, RIGHT_ATTACH, N_MOVES
