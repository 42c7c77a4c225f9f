"""Dynamic oracles: for any configuration, the moves after which no more gold arcs are lost than before."""

from fastparse.transition_systems.spec cimport Spec
from fastparse.transition_systems.state cimport Arena, State, int32_t, uint32_t

# The legal moves of least cost in an exclusive arena; head is the gold tree with head[0] = NONE, scratch has room for
# 3 (n + 1) numbers.
ctypedef uint32_t (*best_moves_t)(const Spec*, const Arena*, const State*, const int32_t* head, int32_t* scratch,
                                  uint32_t legal) noexcept nogil

# The dynamic oracle of a system, or NULL.
cdef best_moves_t dynamic_oracle(str name)
