"""Crossing intervals of a linked Tree and the pairs of words that explain them. No allocation.

Scratch areas as stated.
"""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef enum:
    MAX_PAIRS = 4           # a crossing interval has at most four valid pairs

cdef struct Intervals:
    int32_t count
    bint covered            # every interval has a valid pair: the tree is 2-crossing-interval
    int32_t* left           # [count]  the caller's arrays: (n + 1) // 4 + 1 entries are always enough
    int32_t* right          # [count]
    int32_t* n_pairs        # [count]
    # The pairs of interval i start at MAX_PAIRS * i, in lexicographic order, a < b; past the last one both are -1, so
    # that a[MAX_PAIRS * i] is -1 for an interval without a pair.
    int32_t* a              # [MAX_PAIRS * count]
    int32_t* b              # [MAX_PAIRS * count]

cdef void find_intervals(Tree* t, const int32_t* crossed, Intervals* out) noexcept nogil
cdef int32_t interval_sizes(Tree* t, const int32_t* crossed, int32_t* size) noexcept nogil
cdef int32_t interval_degree(Tree* t, const int32_t* crossed) noexcept nogil
cdef void mark_reaching(const Tree* t, int32_t* reaching) noexcept nogil
