"""The moves of 2-planar."""

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, SWITCH, N_MOVES

cdef enum:
    # State.own_flags
    SWITCHED = 1                # the last move was SWITCH
