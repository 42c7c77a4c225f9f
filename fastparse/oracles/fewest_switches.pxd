"""The assignment of crossed arcs to planes for which a 2-planar derivation has fewest SWITCHes."""

from fastparse.machine.state cimport int32_t
from fastparse.oracles.oracle cimport Gold
from fastparse.oracles.planes cimport N_PLANES_SCRATCH
from fastparse.trees.two_colouring cimport Colours

cdef enum:
    # Gold.scratch, behind that of planes.pxd
    PLANE = N_PLANES_SCRATCH    # [component] plane of its representative, or NONE
    FIRST_END                   # [component] the first word where one of its arcs ends
    LAST_END                    # [component] the last one
    SLOT                        # [component] number of its choice among those that are open together
    EVENT                       # [event] the word
    N_SCRATCH

# READY, TOO_MANY or NO_MEMORY.
cdef int fewest_switches(Gold* gold, Colours* k) noexcept nogil
