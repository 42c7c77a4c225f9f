"""The assignment of crossed arcs to planes for which a 2-planar derivation has fewest SWITCHes."""

from fastparse.machine.state cimport int32_t
from fastparse.oracles.crossing_graph cimport Colours
from fastparse.oracles.oracle cimport Gold

cdef enum:
    # Gold.scratch
    ENDING                      # [word] first arc that ends here, the nearest start first
    NEXT_ENDING                 # [arc]
    PLANE                       # [component] plane of its representative, or NONE
    BLOCK                       # the arrays of Colours, two to a room
    LOWEST
    BELOW
    ABOVE
    PARENT
    SIZE
    DIFFERS
    N_SCRATCH

# READY, TOO_MANY or NO_MEMORY.
cdef int fewest_switches(Gold* gold, Colours* k) noexcept nogil
