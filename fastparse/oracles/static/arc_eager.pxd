"""The oracle of arc-eager, for systems that add to arc-eager."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle

cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil
cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil
