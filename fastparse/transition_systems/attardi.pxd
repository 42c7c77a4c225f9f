"""The moves of attardi's system with arcs of degree 2 and 3."""

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, LEFT_ARC2, RIGHT_ARC2, N_MOVES
    LEFT_ARC3 = N_MOVES, RIGHT_ARC3, N_MOVES_3
