"""Planar (Gómez-Rodríguez and Nivre, 2010): arcs are drawn between stack top and buffer front and move nothing.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    REDUCE      (S|s, B)       (S, B)             covered_roots, or s has a head
    LEFT-ARC    (S|s, b|B)     (S|s, b|B)  b->s   s is not the root; single_head: s has no head; acyclic: no cycle
    RIGHT-ARC   (S|s, b|B)     (S|s, b|B)  s->b   b is not the root; single_head: b has no head; acyclic: no cycle

Starts with the empty stack and 0..n (root="token") or 1..n (root="absent") in the buffer; final when that is empty.
Without single_head words may have several heads and planar_graph.pyx does the work.

Acyclicity in constant time: with single heads a cycle needs an arc within a component. JOINED of a cell says whether it
is connected to the cell below, FRONT_JOINED whether stack top and buffer front are; planarity leaves no other way for
two words in sight to be connected. An arc sets FRONT_JOINED; REDUCE keeps it if the popped cell was joined to the one
below; SHIFT hands it to the new top.

The static oracle draws, at each buffer front, all arcs to its left, the nearest first. Where words may have several
heads it is that of planar_graph.pyx.

    LEFT-ARC, RIGHT-ARC    the next of these arcs starts at s
    REDUCE                 it starts further left
    SHIFT                  there is none left

The dynamic oracle is exact for planar gold trees. A gold arc can be drawn if one of its words is in the buffer, the
other there or on the stack, and its dependent has no head. Whatever has to leave the stack first has no such arc left,
or that would cross this one. So all of them can be drawn together, but for one in each cycle they make with the arcs
drawn.
"""

from fastparse.machine.operations cimport (
    buffer_empty, buffer_word, connect, front, has_head, own_front, own_top, pop, shift, top_and_front, word_of)
from fastparse.machine.spec cimport ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport DynamicOracle, Gold, READY, StaticOracle, cheapest, losses
from fastparse.transition_systems.planar_graph cimport ACYCLIC, HEADED_ONLY, SINGLE_HEAD, graph_system
from fastparse.trees.crossing cimport list_by_right_end
from fastparse.trees.tree cimport left_end

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, N_MOVES

cdef enum:
    # State.own_flags
    FRONT_JOINED = 1            # stack top and buffer front are connected
    # Cell.own
    JOINED = 0                  # connected to the cell below


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c)
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    if b < 0:
        return 0
    if s < 0:
        return moves
    if not spec.options & HEADED_ONLY or has_head(a, s):
        moves |= <uint32_t>1 << REDUCE
    if spec.options & ACYCLIC and c.own_flags:
        return moves
    if not has_head(a, s) and word_of(a, s) != 0:
        moves |= <uint32_t>1 << LEFT_ARC
    if not has_head(a, b) and word_of(a, b) != 0:
        moves |= <uint32_t>1 << RIGHT_ARC
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s, b
    if move == SHIFT:
        shift(a, c)
        a.cells[c.stack[0]].own[JOINED] = c.own_flags
        c.own_flags = 0
        return
    if move == REDUCE:
        s = pop(a, c)
        c.own_flags = c.own_flags and a.cells[s].own[JOINED]
        return
    s = own_top(a, c)
    b = own_front(a, c)
    c.own_flags = FRONT_JOINED
    if move == LEFT_ARC:
        connect(a, c, b, s, label)
    else:
        connect(a, c, s, b, label)


def make(root: str, single_head: bool, acyclic: bool, covered_roots: bool) -> System:
    """The planar system with these constraints."""
    cdef int32_t options = ((SINGLE_HEAD if single_head else 0) | (ACYCLIC if acyclic else 0)
                            | (0 if covered_roots else HEADED_ONLY))
    cdef uint32_t traits = ROOT_IN_BUFFER if root == "token" else 0
    if not single_head:
        return graph_system("planar", 1, traits, options)
    cdef Spec spec = Spec(
        n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
        leftward=1 << LEFT_ARC, traits=traits, n_stacks=1, cells_per_move=2, options=options, data=NULL, start=NULL,
        legal=legal, apply=apply, is_final=buffer_empty, arc=top_and_front)
    covers = "" if not acyclic else "planar" if covered_roots else "projective"
    return System.wrap(&spec, "planar", ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC"), covers)


# ── the static oracle ──

cdef enum:
    # Gold.scratch
    FIRST, NEXT


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    list_by_right_end(&gold.tree, True, gold.scratch[FIRST], gold.scratch[NEXT])
    return READY


cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t b = front(a, c), arc = gold.scratch[FIRST][b]
    if arc < 0:
        return SHIFT
    if c.stack[0] != left_end(&gold.tree, arc):
        return REDUCE
    gold.scratch[FIRST][b] = gold.scratch[NEXT][arc]
    return RIGHT_ARC if arc == b else LEFT_ARC


ORACLE = StaticOracle.wrap(next_move, prepare, 2)


# ── the dynamic oracle ──

cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), cell, m, w, low, high, first
    cdef int32_t* parent = scratch
    cdef int32_t* gone = scratch + 2 * (a.n + 1)
    cdef int32_t cost[N_MOVES]
    for m in range(N_MOVES):
        if not legal >> m & 1:
            continue
        for w in range(b):
            gone[w] = True
        cell = c.stack[0]
        while cell >= 0:
            gone[a.cells[cell].word] = m == REDUCE and cell == c.stack[0]
            cell = a.cells[cell].below
        gone[b] = False
        first = b + 1 if m == SHIFT else b
        for w in range(1, a.n + 1):
            low, high = min(w, head[w]), max(w, head[w])
            parent[w] = a.cells[w].head
            if parent[w] < 0 and high >= first and (low > b or not gone[low]):
                parent[w] = head[w]
        if m == LEFT_ARC:
            parent[s] = b
        elif m == RIGHT_ARC:
            parent[b] = s
        cost[m] = losses(a.n, head, parent, scratch + a.n + 1)
    return cheapest(cost, N_MOVES, legal)


DYNAMIC = DynamicOracle.wrap(best_moves)
