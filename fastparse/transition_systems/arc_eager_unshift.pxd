"""The moves of arc-eager with UNSHIFT: those of arc-eager and one more."""

from fastparse.transition_systems.arc_eager cimport N_MOVES as N_ARC_EAGER

cdef enum:
    UNSHIFT = N_ARC_EAGER
    N_MOVES

cdef enum:
    # State.own_flags
    UNSHIFTED = 1               # a word has come back to the buffer, so that no other is shifted
