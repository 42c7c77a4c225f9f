"""A dependency tree as C arrays: heads and children, preorder, dominance.

Positions are 0..n: 0 is the artificial root, words are 1..n, -1 is "none". The arc into a word is named by the word. A
`Tree` owns its memory, reused from sentence to sentence (it grows when needed) and given back by `tree_free`; nothing
else allocates. Use one `Tree` per thread.
"""

from libc.stdint cimport int32_t, int64_t

cdef enum:
    # What loading returns, besides a defect, which is positive.
    TREE_OK = 0
    TREE_NO_MEMORY = -1
    SCRATCH_AREAS = 16

cdef enum:
    # What find_defect returns; their names are in DEFECTS.
    TREE = 0
    HEADLESS = 1            # a head is -1
    OUT_OF_RANGE = 2        # a head lies outside 0..n
    CYCLE = 3               # a word is its own ancestor

cdef struct Tree:
    int32_t n               # words; the root 0 is not counted
    int32_t capacity        # words the block has room for
    int32_t culprit         # the word at fault when heads are no tree
    int32_t* block          # owned; everything below points into it
    # Set by tree_link:
    int32_t* head           # [n + 1]  head[0] = -1
    int32_t* first_child    # [n + 1]  children ascending, as linked lists
    int32_t* next_child     # [n + 1]
    # Set by tree_order:
    int32_t* order          # [n + 1]  positions in preorder, children left to right; order[0] = 0
    int32_t* enter          # [n + 1]  rank of v in preorder
    int32_t* leave          # [n + 1]  enter[v] + size of the subtree of v
    # Set by tree_scratch, which tree_load includes:
    int32_t* scratch        # [SCRATCH_AREAS * (capacity + 2)]  free for the use of the algorithms; owned

# The first defect of heads[0..n-1], the heads of words 1..n, and the word it shows at: O(n). `mark` has room for n + 1
# numbers; `word` is set where there is a defect.
cdef int find_defect(const int32_t* heads, int32_t n, int32_t* mark, int32_t* word) noexcept nogil

cdef void tree_init(Tree* t) noexcept nogil
cdef void tree_free(Tree* t) noexcept nogil
# Room for n words; TREE_OK or TREE_NO_MEMORY. What the tree held is lost.
cdef int tree_reserve(Tree* t, int32_t n) noexcept nogil
# The scratch areas, for as many words as there is room for; TREE_OK or TREE_NO_MEMORY. They are most of a tree's
# memory, so whoever only links or orders trees goes without.
cdef int tree_scratch(Tree* t) noexcept nogil
# Heads and children, O(n); TREE_OK or what is wrong. Without `root_arcs` the words that hang on the root have no head:
# crossings can be asked for, but there is no order.
cdef int tree_link(Tree* t, const int32_t* heads, int32_t n, bint root_arcs) noexcept nogil
# Preorder and dominance of a linked tree with its root arcs: O(n).
cdef void tree_order(Tree* t) noexcept nogil
# All of it.
cdef int tree_load(Tree* t, const int32_t* heads, int32_t n) noexcept nogil

cdef inline int32_t* area(Tree* t, int32_t i) noexcept nogil:
    """Scratch area `i`, n + 2 numbers; consecutive areas are adjacent, so area i can be used as a longer one."""
    return t.scratch + <int64_t> i * (t.n + 2)

cdef inline bint dominates(const Tree* t, int32_t u, int32_t v) noexcept nogil:
    """Whether v is u or below u."""
    return t.enter[u] <= t.enter[v] < t.leave[u]

cdef inline int32_t left_end(const Tree* t, int32_t m) noexcept nogil:
    """The smaller end of the arc into word m."""
    return t.head[m] if t.head[m] < m else m

cdef inline int32_t right_end(const Tree* t, int32_t m) noexcept nogil:
    """The larger end of the arc into word m."""
    return t.head[m] if t.head[m] > m else m

cdef class TreeOwner:
    """Owns one Tree and turns what tree_load refuses into errors."""

    cdef Tree tree
    cdef int load(self, const int32_t* heads, int32_t n, object sentence) except -1

cdef const int32_t[::1] as_heads(object heads)
cdef const int64_t[::1] as_offsets(object offsets, Py_ssize_t n_words)
cdef int out_of_memory() except -1
