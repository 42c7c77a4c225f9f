"""Crossing arcs of a linked Tree, the anchors of words, and crossing intervals with the pairs that explain them.

is_projective and find_anchors want the tree in order. No allocation; scratch areas as stated.
"""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef bint is_projective(Tree* t) noexcept nogil
cdef bint is_planar(Tree* t, bint root_arcs) noexcept nogil
cdef int32_t mark_crossed(Tree* t, bint root_arcs, int32_t* crossed) noexcept nogil
cdef void list_by_right_end(const Tree* t, bint root_arcs, int32_t* first, int32_t* following) noexcept nogil
cdef int32_t sort_arcs(Tree* t, bint root_arcs, int32_t* by_left, int32_t* by_right) noexcept nogil

# Called once per crossing with the dependents of the two arcs, the one that opens first before the other; a nonzero
# answer ends the sweep.
ctypedef bint (*Visit)(void* context, int32_t outer, int32_t inner) noexcept nogil
cdef bint for_each_crossing(Tree* t, bint root_arcs, Visit visit, void* context) noexcept nogil

# The anchors of words: where their arcs would be projective.
cdef void find_anchors(Tree* t, int32_t* anchor) noexcept nogil

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
