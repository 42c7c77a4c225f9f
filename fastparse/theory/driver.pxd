"""Derives trees, one after the other, in buffers that are reused between sentences."""

from libc.stdint cimport uint8_t

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint16_t
from fastparse.transition_systems.oracle cimport Gold, Oracle

cdef struct Driver:
    const Spec* spec
    const Oracle* oracle
    Gold gold
    Arena arena
    State state
    int32_t capacity            # words the arrays of gold have room for
    int32_t* block              # all arrays of gold over words but those of its tree
    int32_t arc_capacity
    int32_t* arc_block          # all arrays of gold over arcs, and which arcs are built
    # The last derivation:
    int32_t length
    int32_t move_capacity
    uint8_t* moves              # [length]
    uint16_t* labels            # [length]  NO_LABEL for moves without one
    int32_t illegal             # a move that the oracle chose and the system refused, or NONE

# spec and oracle are borrowed. Never fails: memory is claimed by the first sentence.
cdef void driver_open(Driver* d, const Spec* spec, const Oracle* oracle, int32_t variant) noexcept nogil
cdef void driver_close(Driver* d) noexcept nogil
# The number of moves, or OUTSIDE, NO_MEMORY, TOO_MANY, NOT_A_TREE. heads and labels have n entries, for words 1..n;
# labels may be NULL.
cdef int32_t driver_derive(Driver* d, int32_t n, const int32_t* heads, const int32_t* labels) noexcept nogil
# The same for a graph, given as arcs sorted by dependent, then head.
cdef int32_t driver_derive_graph(Driver* d, int32_t n, int32_t n_arcs, const int32_t* heads,
                                 const int32_t* dependents, const int32_t* labels) noexcept nogil
