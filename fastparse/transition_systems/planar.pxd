"""The moves of planar."""

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, N_MOVES

cdef enum:
    # State.own_flags
    FRONT_JOINED = 1            # stack top and buffer front are connected
    # Cell.own
    JOINED = 0                  # connected to the cell below
