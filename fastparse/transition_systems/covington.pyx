"""Covington's algorithm as a transition system (2001; Nivre, 2008): all trees; every pair of words is visited.

    move        from        to                        legal when
    SHIFT       (i, j)      (j, j + 1)                -
    NO-ARC      (i, j)      (i - 1, j)                i >= 0
    LEFT-ARC    (i, j)      (i - 1, j)         j->i   i > 0, i has no head, i and j are not connected
    RIGHT-ARC   (i, j)      (i - 1, j)         i->j   i >= 0, j has no head, i and j are not connected

State.focus is i, State.next is j. Starts at (0, 1); final when j = n + 1. At most n (n + 1) / 2 + n moves.

An arc closes a cycle exactly when the dependent, which has no head, is the topmost ancestor of the head, that is, when
the two are connected. Components are trees of words (words.pxd), joined by size and never compressed, so that an arc
edits two of their nodes at most and a test takes O(log n) steps in both regimes.

The static oracle draws each arc when its two words are in focus, and shifts as soon as no arc joins j to i or a word
left of i.

The dynamic oracle is exact (Gómez-Rodríguez and Fernández-González, 2015). A gold arc can be drawn if its words have
not been in focus together and its dependent has no head. All such arcs can be drawn together, but for one in each cycle
they make with the arcs drawn.
"""

from fastparse.machine.operations cimport connect
from fastparse.machine.spec cimport OVER_WORDS, ROOT_IN_FOCUS, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport cell_of, component, join, own_word, start_components
from fastparse.transition_systems.oracle cimport DynamicOracle, Gold, StaticOracle, cheapest, losses

cdef enum:
    SHIFT, NO_ARC, LEFT_ARC, RIGHT_ARC, N_MOVES


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t i = c.focus, j = c.next
    cdef uint32_t arcs = 0
    if j > a.n:
        return 0
    if i < 0:
        return 1 << SHIFT
    if i > 0 and a.cells[cell_of(a, c, i)].head < 0:
        arcs = 1 << LEFT_ARC
    if a.cells[cell_of(a, c, j)].head < 0:
        arcs |= 1 << RIGHT_ARC
    if arcs and component(a, c, i) == component(a, c, j):
        arcs = 0
    return (1 << SHIFT) | (1 << NO_ARC) | arcs


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t i = c.focus, j = c.next, head, dependent
    if move == SHIFT:
        c.focus = j
        c.next = j + 1
        return
    c.focus = i - 1
    if move == NO_ARC:
        return
    head = own_word(a, c, j if move == LEFT_ARC else i)
    dependent = own_word(a, c, i if move == LEFT_ARC else j)
    connect(a, c, head, dependent, label)
    join(a, c, i, j)


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return c.next > a.n


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    cdef int32_t i = cell_of(a, c, c.focus), j = cell_of(a, c, c.next)
    if move == LEFT_ARC:
        head[0], dependent[0] = j, i
    else:
        head[0], dependent[0] = i, j


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=OVER_WORDS | ROOT_IN_FOCUS, n_stacks=0, cells_per_move=4, options=0, data=NULL,
    start=start_components, legal=legal, apply=apply, is_final=is_final, arc=arc)

SYSTEM = System.wrap(
    &SPEC, "covington", ("SHIFT", "NO-ARC", "LEFT-ARC", "RIGHT-ARC"), "all", None, ("focus",))


# ── the static oracle ──

cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t i = c.focus, j = c.next, leftmost
    if j > gold.n:
        return NONE
    # Children ascend, so the leftmost word joined to j is its head or its first child.
    leftmost = gold.head[j]
    if gold.first_child[j] >= 0 and gold.first_child[j] < leftmost:
        leftmost = gold.first_child[j]
    if i < leftmost:
        return SHIFT
    if gold.head[i] == j:
        return LEFT_ARC
    if gold.head[j] == i:
        return RIGHT_ARC
    return NO_ARC


ORACLE = StaticOracle.wrap(next_move)


# ── the dynamic oracle ──

cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t i = c.focus, j = c.next, left, m, w, low, high
    cdef int32_t* parent = scratch
    cdef int32_t cost[N_MOVES]
    for m in range(N_MOVES):
        if not legal >> m & 1:
            continue
        left = NONE if m == SHIFT else i - 1        # where the left focus of j will be
        for w in range(1, a.n + 1):
            low, high = min(w, head[w]), max(w, head[w])
            parent[w] = a.cells[w].head
            if parent[w] < 0 and (high > j or high == j and low <= left):
                parent[w] = head[w]
        if m == LEFT_ARC:
            parent[i] = j
        elif m == RIGHT_ARC:
            parent[j] = i
        cost[m] = losses(a.n, head, parent, scratch + a.n + 1)
    return cheapest(cost, N_MOVES, legal)


DYNAMIC = DynamicOracle.wrap(best_moves)
