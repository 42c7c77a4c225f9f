"""Arc-eager, for systems that add to it."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.transition_systems.oracle cimport Gold

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, N_MOVES

cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil
cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil
cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil
cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil
