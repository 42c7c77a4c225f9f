"""Arc-standard for directed acyclic graphs (Sagae and Tsujii, 2008): planar graphs without covered roots, bottom-up.

    move           from           to                   legal when
    SHIFT          (S, b|B)       (S|b, B)             -
    LEFT-REDUCE    (S|s, b|B)     (S, b|B)      b->s   the arc is new; acyclic: no cycle
    RIGHT-REDUCE   (S|s, b|B)     (S, s|B)      s->b   the arc is new; acyclic: no cycle
    LEFT-ATTACH    (S|s, b|B)     (S|s, b|B)    b->s   the same, and its opposite does not exist
    RIGHT-ATTACH   (S|s, b|B)     (S, s|b|B)    s->b   the same, and its opposite does not exist

Starts with the empty stack and 1..n in the buffer; final when the buffer is empty. As printed (acyclic=False) REDUCE
moves may close cycles of two arcs. The searches are linear in the arcs.

A word leaves with an arc that enters it, so the last arc at a word must be one from a head. The static oracle draws an
arc h -> d between stack top and buffer front

    by REDUCE      if no other arc at d is missing,
    by ATTACH      if other arcs at d are missing, one from a head among them,
    not yet        if d would be left without a way to leave;

and shifts where it draws none. An arc that waits is one from the left to a word with arcs to its right: these bring the
word back to the front of the buffer. Were the missing arcs elsewhere, they would cover the head or a word between
without a head outside the cycle they close, which an acyclic graph without covered roots excludes.
"""

from fastparse.machine.operations cimport (
    add_arc, buffer_empty, front, has_arc, pop, reaches, shift, take_front, top_and_front, unshift)
from fastparse.machine.spec cimport GRAPH, Spec
from fastparse.machine.state cimport Arena, Graph, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport Gold, READY, StaticOracle
from fastparse.transition_systems.planar_graph cimport ACYCLIC

cdef enum:
    SHIFT, LEFT_REDUCE, RIGHT_REDUCE, LEFT_ATTACH, RIGHT_ATTACH, N_MOVES


cdef inline bint may_draw(const Spec* spec, const Graph* g, int32_t head, int32_t dependent) noexcept nogil:
    return not has_arc(g, head, dependent) and not (spec.options & ACYCLIC and reaches(g, dependent, head))


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    # In the exclusive regime, which is the only one of graph systems, cells are words.
    cdef int32_t s = c.stack[0], b = front(a, c)
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    if b < 0:
        return 0
    if s < 0:
        return moves
    if may_draw(spec, a.graph, b, s):
        moves |= <uint32_t>1 << LEFT_REDUCE
        if not has_arc(a.graph, s, b):
            moves |= <uint32_t>1 << LEFT_ATTACH
    if may_draw(spec, a.graph, s, b):
        moves |= <uint32_t>1 << RIGHT_REDUCE
        if not has_arc(a.graph, b, s):
            moves |= <uint32_t>1 << RIGHT_ATTACH
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c)
    if move == SHIFT:
        shift(a, c)
        return
    if move == LEFT_REDUCE or move == LEFT_ATTACH:
        add_arc(a.graph, b, s, label)
    else:
        add_arc(a.graph, s, b, label)
    if move == LEFT_REDUCE:
        pop(a, c)
    elif move != LEFT_ATTACH:
        pop(a, c)
        if move == RIGHT_REDUCE:
            take_front(a, c)
        unshift(a, c, s)


cdef uint32_t DRAWING = (1 << LEFT_REDUCE) | (1 << RIGHT_REDUCE) | (1 << LEFT_ATTACH) | (1 << RIGHT_ATTACH)


def make(acyclic: bool) -> System:
    """The system with or without the search for cycles."""
    cdef Spec spec = Spec(
        n_moves=N_MOVES, labelled=DRAWING, drawing=DRAWING, leftward=(1 << LEFT_REDUCE) | (1 << LEFT_ATTACH),
        traits=GRAPH, n_stacks=1, cells_per_move=0, options=ACYCLIC if acyclic else 0, data=NULL, start=NULL,
        legal=legal, apply=apply, is_final=buffer_empty, arc=top_and_front)
    return System.wrap(
        &spec, "dag/arc-standard", ("SHIFT", "LEFT-REDUCE", "RIGHT-REDUCE", "LEFT-ATTACH", "RIGHT-ATTACH"))


# ── the static oracle ──

cdef enum:
    # Gold.scratch
    FROM                        # [word] first of its incoming arcs, which stand together
    UP_TO                       # [word] one behind the last
    HEADS_MISSING               # [word] incoming arcs not built
    N_SCRATCH


cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t k, w
    for w in range(gold.n + 1):
        gold.scratch[FROM][w] = gold.scratch[UP_TO][w] = gold.scratch[HEADS_MISSING][w] = 0
    for k in range(gold.n_arcs):
        w = gold.arc_dependent[k]
        if gold.scratch[UP_TO][w] == 0:
            gold.scratch[FROM][w] = k
        gold.scratch[UP_TO][w] = k + 1
        gold.scratch[HEADS_MISSING][w] += 1
    return READY


cdef inline int32_t wanted(const Gold* gold, const Arena* a, int32_t head, int32_t dependent) noexcept nogil:
    """The arc from head to dependent if it is in the graph and not built, by bisection; else NONE."""
    cdef int32_t low = gold.scratch[FROM][dependent], high = gold.scratch[UP_TO][dependent], middle, k
    while low < high:
        middle = (low + high) // 2
        if gold.arc_head[middle] < head:
            low = middle + 1
        else:
            high = middle
    if low == gold.scratch[UP_TO][dependent] or gold.arc_head[low] != head:
        return NONE
    k = a.graph.first_in[dependent]
    while k >= 0:
        if a.graph.head[k] == head:
            return NONE
        k = a.graph.next_in[k]
    return low


cdef inline int32_t draw(Gold* gold, int32_t arc, int32_t dependent, int32_t by_reduce,
                         int32_t by_attach) noexcept nogil:
    """The move that draws a wanted arc, or NONE when it has to wait."""
    cdef int32_t move = NONE
    if arc < 0:
        return NONE
    if gold.missing[dependent] == 1:
        move = by_reduce
    elif gold.scratch[HEADS_MISSING][dependent] > 1:
        move = by_attach
    if move >= 0:
        gold.scratch[HEADS_MISSING][dependent] -= 1
        gold.move_arc = arc
    return move


cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c), move
    if s < 0:
        return SHIFT
    move = draw(gold, wanted(gold, a, b, s), s, LEFT_REDUCE, LEFT_ATTACH)
    if move < 0:
        move = draw(gold, wanted(gold, a, s, b), b, RIGHT_REDUCE, RIGHT_ATTACH)
    return move if move >= 0 else SHIFT


ORACLE = StaticOracle.wrap(next_move, prepare, N_SCRATCH)
