"""Systems with a stack per plane: their moves, and derivations once it is known which arc is drawn in which plane."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.transition_systems.oracle cimport Gold

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, SWITCH

cdef enum:
    CYCLING = 1                 # Spec.options: one SWITCH, to the next stack

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

# The planes that the caller chose, one per word, as Gold.choices; OUTSIDE where there is no such plane. Two arcs of one
# plane that cross make the derivation fail.
cdef int take_requested(Gold* gold, int32_t n_planes) noexcept nogil
cdef int32_t next_in_planes(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil
