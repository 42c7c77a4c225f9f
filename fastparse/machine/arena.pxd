"""Memory of one sentence's configurations. The arena grows between steps, never inside one."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t

cdef int arena_open(Arena* a) except -1
cdef void arena_close(Arena* a) noexcept nogil
# Prepares a (reused) arena for a sentence of n words. Returns -1 when memory is short.
cdef int arena_start(Arena* a, const Spec* spec, int32_t n, bint exclusive) noexcept nogil
# Room for `moves` more moves of spec in the shared regime; -1 when memory is short.
cdef int arena_reserve(Arena* a, const Spec* spec, int32_t moves) noexcept nogil
# Keeps only what the states reach. Cell, history, link and branch ids in the states are renewed.
cdef int arena_compact(Arena* a, const Spec* spec, State* states, int32_t n_states) noexcept nogil
# Room for so many more arcs of a graph system; -1 when memory is short.
cdef int graph_reserve(Arena* a, Py_ssize_t arcs) noexcept nogil
cdef int arena_copy(Arena* target, const Arena* source, const Spec* spec) noexcept nogil
cdef void state_start(State* c, const Spec* spec, Arena* a) noexcept nogil
