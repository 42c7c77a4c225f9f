"""The static oracle of two-registers, for the printed form of the system."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.transition_systems.oracle cimport Gold

cdef enum:
    # Gold.scratch
    CROSSED                     # [word] its arc to its head crosses another one
    PARTNER                     # [word] first word of a pair: the second one; else NONE
    OWNER                       # [word] first word of the pair of the interval of its crossed arc; else NONE
    PENDING                     # [word] first word of a pair: crossed arcs of its interval that are not built
    BEGIN                       # [interval] its first word; from left to right, NONE behind the last
    END                         # [interval] its last word
    N_PAIRS                     # [interval] its valid pairs
    A                           # [MAX_PAIRS interval + i] first word of its pair i, from the smallest pair on
    B                           # [MAX_PAIRS interval + i] second word
    PAIR                        # [interval] number of the pair it passes through
    N_SCRATCH

# Keeps the pairs that PAIR says.
cdef void take_pairs(Gold* gold) noexcept nogil
cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil
cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil
