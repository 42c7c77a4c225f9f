"""A dependency tree as C arrays: children, preorder, dominance.

Positions are 0..n: 0 is the artificial root, words are 1..n, -1 is "none". A `Tree` owns one block of memory, reused
from sentence to sentence (`tree_load` grows it when needed) and given back by `tree_free`; nothing else allocates.
Use one `Tree` per thread.
"""

from libc.stdint cimport int32_t, int64_t

cdef enum:
    TREE_OK = 0
    TREE_NO_MEMORY = -1
    TREE_BAD_HEAD = -2      # some head lies outside 0..n; Tree.culprit is the word
    TREE_CYCLE = -3         # some words do not reach the root; Tree.culprit is a word on the cycle
    SCRATCH_AREAS = 28

cdef struct Tree:
    int32_t n               # words; the root 0 is not counted
    int32_t capacity        # words the block has room for
    int32_t culprit         # the word at fault when tree_load fails
    int32_t* block          # owned; everything below points into it
    int32_t* head           # [n + 1]  head[0] = -1
    int32_t* first          # [n + 2]  the children of v are child[first[v]:first[v + 1]], left to right
    int32_t* child          # [n]
    int32_t* order          # [n + 1]  positions breadth first: heads before their dependents, order[0] = 0
    int32_t* enter          # [n + 1]  rank of v in preorder (children left to right)
    int32_t* leave          # [n + 1]  enter[v] + size of the subtree of v
    int32_t* left           # [n + 1]  smaller end of the arc into word m; undefined at 0
    int32_t* right          # [n + 1]  larger end of the arc into word m; undefined at 0
    int32_t* scratch        # [SCRATCH_AREAS * (capacity + 2)]  free for the use of the algorithms

cdef void tree_init(Tree* t) noexcept nogil
cdef void tree_free(Tree* t) noexcept nogil
cdef int tree_load(Tree* t, const int32_t* heads, int32_t n) noexcept nogil
cdef void projective_order(Tree* t, int32_t* rank) noexcept nogil

cdef inline int32_t* area(Tree* t, int32_t i) noexcept nogil:
    """Scratch area `i`, n + 2 numbers; consecutive areas are adjacent, so area i can be used as a longer one."""
    return t.scratch + <int64_t> i * (t.n + 2)

cdef inline bint dominates(const Tree* t, int32_t u, int32_t v) noexcept nogil:
    """Whether v is u or below u."""
    return t.enter[u] <= t.enter[v] < t.leave[u]

cdef class TreeOwner:
    """Owns one Tree and turns what tree_load refuses into errors."""

    cdef Tree tree
    cdef int load(self, const int32_t* heads, int32_t n, object sentence) except -1

cdef const int32_t[::1] as_heads(object heads)
cdef const int64_t[::1] as_offsets(object offsets, Py_ssize_t n_words)
cdef int out_of_memory() except -1
