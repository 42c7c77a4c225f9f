"""The two-registers oracle, shared with the printed form of the system."""

from fastparse.oracles.oracle cimport Gold, Oracle
from fastparse.transition_systems.spec cimport Spec
from fastparse.transition_systems.state cimport Arena, State, int32_t

cdef enum:
    N_SCRATCH = 6

cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil
cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil
