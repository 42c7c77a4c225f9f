"""Oracles: the moves that build a given tree.

A static oracle names the next move of one derivation of a tree. A dynamic oracle names, for any configuration, the
moves after which no more arcs of the tree are lost than before.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.trees.tree cimport Tree

cdef enum:
    MAX_SCRATCH = 12
    # What prepare returns.
    READY = 0
    OUTSIDE = -1                # the tree is outside the system's class
    NO_MEMORY = -2
    TOO_MANY = -3               # an exact search would explode
    # What only the driver returns.
    NOT_A_TREE = -4             # a head out of range, or a cycle

cdef struct Gold:
    # The tree to build, in the exclusive regime. Arrays are owned by the driver and reused between sentences.
    Tree tree                   # linked, without root arcs if there is no root token; the oracle may use its scratch
    int32_t n
    const int32_t* head         # [n + 1]  of the tree; graph systems: NONE everywhere
    const int32_t* first_child  # [n + 1]  of the tree; graph systems: first arc from this head
    const int32_t* next_child   # [n + 1]  of the tree
    const int32_t* label        # [n + 1]  label ids; label[0] unused
    int32_t* missing            # [n + 1]  arcs of the tree at this word, as head or dependent, that are not built yet
    int32_t* scratch[MAX_SCRATCH]   # [2 (n + 2)] each, as many as the oracle asks for, one behind the other; its own
    int32_t value[8]            # the oracle's own; zero at the start of each sentence
    void* extra                 # the oracle's own, for what does not fit; freed by close
    int32_t options             # variant: eager or lazy, greedy or fewest, ...
    bint fell_back              # prepare sets it: the variant's search was given up, and another variant is followed
    int32_t move_arc            # graph systems: the arc that the next move draws; next sets it
    int32_t n_choices
    # [n_choices]  what the caller chose; NULL: the oracle chooses. two-registers: pairs of vertices, one behind the
    # other, one per crossing interval from left to right; systems of planes: the plane of the arc to each word.
    const int32_t* choices
    # Graph systems: arcs sorted by dependent, then head; first_child[h] and next_arc list them, dependents ascending.
    int32_t n_arcs
    const int32_t* arc_head         # [n_arcs]
    const int32_t* arc_dependent    # [n_arcs]
    const int32_t* arc_label        # [n_arcs]
    const int32_t* next_arc         # [n_arcs]

# Looks at the tree once. Linear in words plus crossings. READY, OUTSIDE, NO_MEMORY or TOO_MANY.
ctypedef int (*prepare_t)(const Spec*, Gold*) noexcept nogil
# The next move; the driver applies it with the label the tree gives its dependent and updates `missing`. NONE when the
# oracle has no move (the tree is outside the class).
ctypedef int32_t (*next_t)(const Spec*, const Arena*, const State*, Gold*) noexcept nogil
# Frees Gold.extra.
ctypedef void (*close_t)(Gold*) noexcept nogil
# Called when the derivation has failed: prepares another one and returns True, or gives up.
ctypedef bint (*retry_t)(const Spec*, Gold*) noexcept nogil

cdef struct Oracle:
    next_t next
    prepare_t prepare           # or NULL
    int32_t n_scratch
    bint analyses               # it uses the scratch areas of the tree, as the algorithms of trees/ do
    close_t close               # or NULL
    retry_t retry               # or NULL

cdef class StaticOracle:
    cdef Oracle oracle
    cdef readonly tuple variants         # names of Gold.options, the default first

    @staticmethod
    cdef StaticOracle wrap(next_t next, prepare_t prepare=*, int32_t n_scratch=*, bint analyses=*, tuple variants=*,
                           close_t close=*, retry_t retry=*)


# ── dynamic oracles ──

# The legal moves of least cost in an exclusive arena; 0 where nothing is known. head is the gold tree with
# head[0] = NONE, scratch has room for scratch_room(n) numbers; 2 (n + 1) of them, from 3 (n + 1) on, hold what note has
# written.
ctypedef uint32_t (*best_moves_t)(const Spec*, const Arena*, const State*, const int32_t* head, int32_t* scratch,
                                  uint32_t legal) noexcept nogil
# Looks at the static derivation, move by move, each before it is made; the first 5 (n + 1) numbers of scratch are all
# NONE before the first.
ctypedef void (*note_t)(const Spec*, const Arena*, const State*, int32_t move, const int32_t* head,
                        int32_t* scratch) noexcept nogil

cdef struct Dynamic:
    best_moves_t best_moves     # NULL: the system has none
    note_t note                 # or NULL

cdef class DynamicOracle:
    cdef Dynamic c

    @staticmethod
    cdef DynamicOracle wrap(best_moves_t best_moves, note_t note=*)

# The dynamic oracle of a system; nothing but NULL if it has none.
cdef Dynamic dynamic_oracle(str name)


# A quarter of a megabyte for fifty words: a look ahead keeps the way it goes.
cdef inline int32_t scratch_room(int32_t n) noexcept nogil:
    return 1024 * (n + 2) + 4096


cdef inline uint32_t cheapest(const int32_t* cost, int32_t n_moves, uint32_t legal) noexcept nogil:
    """The legal moves of least cost."""
    cdef int32_t m, least = 0x7FFFFFFF
    cdef uint32_t best = 0
    for m in range(n_moves):
        if legal >> m & 1 and cost[m] <= least:
            if cost[m] < least:
                best = 0
            least = cost[m]
            best |= <uint32_t>1 << m
    return best


cdef inline int32_t losses(int32_t n, const int32_t* head, const int32_t* parent, int32_t* mark) noexcept nogil:
    """The gold arcs that are lost where each can be drawn alone but a cycle must lack one of its arcs.

    parent is the head a word has or, if that can still be drawn, gets; no two cycles share a word.
    """
    cdef int32_t w, x, lost = 0
    for w in range(n + 1):
        mark[w] = NONE
    for w in range(1, n + 1):
        lost += parent[w] != head[w]
        x = w
        while x > 0 and mark[x] < 0:
            mark[x] = w
            x = parent[x]
        lost += x > 0 and mark[x] == w
    return lost
