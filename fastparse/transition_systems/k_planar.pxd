"""The moves of k-planar; 2-planar has the same."""

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, SWITCH

cdef enum:
    CYCLING = 1                 # Spec.options: one SWITCH, to the next stack
