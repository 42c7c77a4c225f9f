"""What the oracles of other systems of two planes share with that of 2-planar."""

from fastparse.transition_systems.k_planar cimport ENDING, N_PLANES_SCRATCH, NEXT_ENDING
from fastparse.transition_systems.oracle cimport Gold
from fastparse.trees.planes cimport Colours

cdef enum:
    GREEDY, FEWEST              # Gold.options

cdef enum:
    # Gold.scratch, behind that of k_planar.pxd
    PLANE = N_PLANES_SCRATCH    # [component] plane of its representative, or NONE
    FIRST_END                   # [component] the first word where one of its arcs ends
    LAST_END                    # [component] the last one
    SLOT                        # [component] number of its choice among those that are open together
    EVENT                       # [event] the word
    N_SCRATCH

# Sets the planes of all components, PLANE, from ENDING and NEXT_ENDING; READY, TOO_MANY or NO_MEMORY.
cdef int fewest_switches(Gold* gold, Colours* k) noexcept nogil
