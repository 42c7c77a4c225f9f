"""Derivations of systems with a stack per plane, once it is known which arc is drawn in which plane.

    LEFT-ARC, RIGHT-ARC    the next arc that ends at b in the active plane starts at s
    REDUCE                 it starts further left
    SWITCH                 there is none left, but there is one in another plane
    SHIFT                  there is none in any

Arcs connected by crossings have planes that may change places: when the first of them is due, its plane becomes the
active one. An uncrossed arc goes to the active plane, unless b has crossed arcs in other planes only.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle

cdef enum:
    # Gold.scratch
    ENDING                      # [word] first arc that ends here, the nearest start first
    NEXT_ENDING                 # [arc]
    ARC_PLANE                   # [arc]
    COMPONENT                   # [arc] number of the set connected by crossings, ANY_PLANE or AS_IT_IS
    EXCHANGED                   # [component] two planes that change places, plus 1 and times 8, or 0 while undecided
    N_PLANES_SCRATCH

cdef enum:
    # COMPONENT of arcs
    ANY_PLANE = -1              # crosses nothing
    AS_IT_IS = -2               # its plane stays

# Planes that were asked for, one per word, as Gold.choices; OUTSIDE where there is no such plane. Two arcs of one
# plane that cross make the derivation fail.
cdef int take_requested(Gold* gold, int32_t n_planes) noexcept nogil
cdef int32_t next_in_planes(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                            Gold* gold) noexcept nogil
