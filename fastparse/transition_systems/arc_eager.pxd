"""The moves of arc-eager, and what they do, for systems that add to them."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, N_MOVES

cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil
cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil
