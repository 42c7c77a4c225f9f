"""The two-registers oracle, shared with the printed form of the system."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle

cdef enum:
    # Gold.scratch
    CROSSED                     # [word] its arc to its head crosses another one
    PARTNER                     # [word] first word of a pair: the second one; else NONE
    OWNER                       # [word] first word of the pair of the interval of its crossed arc; else NONE
    PENDING                     # [word] first word of a pair: crossed arcs of its interval that are not built
    ABOVE                       # [2 left], [2 left + 1]: the pair of the interval that starts at left is above this one
    WORK                        # two arrays for crossed_arcs
    N_SCRATCH = WORK + 2

# Chooses the pairs; READY or OUTSIDE. Needs CROSSED and ABOVE.
cdef int choose(Gold* gold) noexcept nogil
cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil
cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil
