"""Arc-standard for directed acyclic graphs (Sagae and Tsujii, 2008): planar graphs without covered roots, bottom-up.

    move           from           to                   legal when
    SHIFT          (S, b|B)       (S|b, B)             -
    LEFT-REDUCE    (S|s, b|B)     (S, b|B)      b->s   the arc is new; acyclic: no cycle
    RIGHT-REDUCE   (S|s, b|B)     (S, s|B)      s->b   the arc is new; acyclic: no cycle
    LEFT-ATTACH    (S|s, b|B)     (S|s, b|B)    b->s   the same, and its opposite does not exist
    RIGHT-ATTACH   (S|s, b|B)     (S, s|b|B)    s->b   the same, and its opposite does not exist

Starts with the empty stack and 1..n (root="absent") or 0..n (root="token") in the buffer; final when the buffer is
empty. As printed (acyclic=False) REDUCE moves may close cycles of two arcs. The searches are linear in the arcs. What
is new, doubles says as in planar_graph.pyx; no arc enters the root.

A word leaves with an arc that enters it, so the last arc at a word must be one from a head. The static oracle draws an
arc h -> d between stack top and buffer front

    by REDUCE      if no other arc at d is missing,
    by ATTACH      if other arcs at d are missing, one from a head among them,
    not yet        if d would be left without a way to leave;

and shifts where it draws none. An arc that waits is one from the left to a word with arcs to its right: these bring the
word back to the front of the buffer. Were the missing arcs elsewhere, they would cover the head or a word between
without a head outside the cycle they close, which an acyclic graph without covered roots excludes.

Where cycles are allowed that is not all: of a word with arcs in both directions to another one, either can be the first
and either can be the one that is left to go. If the rule above fails, all ways are tried, arcs first, for as many steps
as a bound admits that is far from reached by graphs of a few words.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.machine.operations cimport (
    NEWEST_IN, buffer_empty, draw_arc, front, has_arc, pop, shift, start_graph, take_front, top_and_front, unshift)
from fastparse.machine.spec cimport GRAPH, ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, NO_LABEL, NONE, State, int32_t, int64_t, uint8_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport reaches
from fastparse.transition_systems.oracle cimport Gold, READY, StaticOracle
from fastparse.transition_systems.planar_graph cimport ACYCLIC, SINGLE_LABEL

cdef enum:
    SHIFT, LEFT_REDUCE, RIGHT_REDUCE, LEFT_ATTACH, RIGHT_ATTACH, N_MOVES


cdef inline bint is_new(const Spec* spec, const Arena* a, int32_t head, int32_t dependent) noexcept nogil:
    cdef int32_t k = a.cells[dependent].own[NEWEST_IN]
    while k >= 0 and not (a.graph.arcs[k].head == head
                          and (spec.options & SINGLE_LABEL or a.graph.arcs[k].label == NO_LABEL)):
        k = a.graph.arcs[k].next_in
    return k < 0


cdef inline bint may_draw(const Spec* spec, const Arena* a, const State* c, int32_t head,
                          int32_t dependent) noexcept nogil:
    return (dependent != 0 and is_new(spec, a, head, dependent)
            and not (spec.options & ACYCLIC and reaches(a, c, dependent, head)))


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    # In the exclusive regime, which is the only one of graph systems, cells are words.
    cdef int32_t s = c.stack[0], b = front(a, c)
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    if b < 0:
        return 0
    if s < 0:
        return moves
    if may_draw(spec, a, c, b, s):
        moves |= <uint32_t>1 << LEFT_REDUCE
        if not has_arc(a, s, b):
            moves |= <uint32_t>1 << LEFT_ATTACH
    if may_draw(spec, a, c, s, b):
        moves |= <uint32_t>1 << RIGHT_REDUCE
        if not has_arc(a, b, s):
            moves |= <uint32_t>1 << RIGHT_ATTACH
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c)
    if move == SHIFT:
        shift(a, c)
        return
    if move == LEFT_REDUCE or move == LEFT_ATTACH:
        draw_arc(a, b, s, label)
    else:
        draw_arc(a, s, b, label)
    if move == LEFT_REDUCE:
        pop(a, c)
    elif move != LEFT_ATTACH:
        pop(a, c)
        if move == RIGHT_REDUCE:
            take_front(a, c)
        unshift(a, c, s)


cdef uint32_t DRAWING = (1 << LEFT_REDUCE) | (1 << RIGHT_REDUCE) | (1 << LEFT_ATTACH) | (1 << RIGHT_ATTACH)


def make(acyclic: bool, root: str, doubles: bool) -> System:
    """The system with or without the search for cycles."""
    cdef Spec spec = Spec(
        n_moves=N_MOVES, labelled=DRAWING, drawing=DRAWING, leftward=(1 << LEFT_REDUCE) | (1 << LEFT_ATTACH),
        traits=GRAPH | (ROOT_IN_BUFFER if root == "token" else 0), n_stacks=1, cells_per_move=0,
        options=(ACYCLIC if acyclic else 0) | (0 if doubles else SINGLE_LABEL), data=NULL, start=start_graph,
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
    close(gold)
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
    """An arc from head to dependent that is in the graph and not built, by bisection; else NONE."""
    cdef int32_t low = gold.scratch[FROM][dependent], high = gold.scratch[UP_TO][dependent], middle, k
    while low < high:
        middle = (low + high) // 2
        if gold.arc_head[middle] < head:
            low = middle + 1
        else:
            high = middle
    if low == gold.scratch[UP_TO][dependent] or gold.arc_head[low] != head:
        return NONE
    k = a.cells[dependent].own[NEWEST_IN]
    while k >= 0:
        low += a.graph.arcs[k].head == head         # they are drawn in their order
        k = a.graph.arcs[k].next_in
    return low if low < gold.scratch[UP_TO][dependent] and gold.arc_head[low] == head else NONE


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
    cdef Search* search = <Search*>gold.extra
    if search != NULL:
        if gold.value[AT] == search.n_moves:
            return NONE
        move = search.moves[gold.value[AT]]
        gold.move_arc = search.arcs[gold.value[AT]]
        gold.value[AT] += 1
        return move
    if s < 0:
        return SHIFT
    move = draw(gold, wanted(gold, a, b, s), s, LEFT_REDUCE, LEFT_ATTACH)
    if move < 0:
        move = draw(gold, wanted(gold, a, s, b), b, RIGHT_REDUCE, RIGHT_ATTACH)
    return move if move >= 0 else SHIFT


# ── all ways ──

cdef enum:
    AT                          # Gold.value: moves of the way that have been made

cdef struct Search:
    int32_t* stack              # [n + 1]
    int32_t* buffer             # [n + 1]  the front is the last
    int32_t* missing            # [n + 1]  arcs at a word that have not been drawn
    uint8_t* drawn              # [arcs]
    int32_t n_stack, n_buffer
    int32_t n_moves
    int32_t* moves              # [most]
    int32_t* arcs               # [most]  that the moves draw; NONE
    int32_t* tried              # [most]  of the choices before each move, how many have been taken


cdef void close(Gold* gold) noexcept nogil:
    cdef Search* search = <Search*>gold.extra
    if search != NULL:
        free(search.stack)
        free(search.drawn)
        free(search)
        gold.extra = NULL


cdef inline int32_t not_drawn(const Search* q, const Gold* gold, int32_t head, int32_t dependent) noexcept nogil:
    """The first arc from head to dependent that the way has not drawn; NONE."""
    cdef int32_t k
    for k in range(gold.scratch[FROM][dependent], gold.scratch[UP_TO][dependent]):
        if gold.arc_head[k] == head and not q.drawn[k]:
            return k
    return NONE


cdef inline bint is_drawn(const Search* q, const Gold* gold, int32_t head, int32_t dependent) noexcept nogil:
    """Whether the way has drawn an arc from head to dependent."""
    cdef int32_t k
    for k in range(gold.scratch[FROM][dependent], gold.scratch[UP_TO][dependent]):
        if gold.arc_head[k] == head and q.drawn[k]:
            return True
    return False


cdef int32_t choice(const Search* q, const Gold* gold, int32_t number, int32_t* arc) noexcept nogil:
    """One of the moves that may be made, by number, and the arc it draws; NONE if there are not so many."""
    cdef int32_t s, b = q.buffer[q.n_buffer - 1], k, way, n = 0
    arc[0] = NONE
    if q.n_stack:
        s = q.stack[q.n_stack - 1]
        for way in range(2):                # b -> s, s -> b
            k = not_drawn(q, gold, s if way else b, b if way else s)
            if k < 0:
                continue
            if q.missing[b if way else s] == 1:
                if n == number:
                    arc[0] = k
                    return RIGHT_REDUCE if way else LEFT_REDUCE
                n += 1
            if not is_drawn(q, gold, b if way else s, s if way else b):
                if n == number:
                    arc[0] = k
                    return RIGHT_ATTACH if way else LEFT_ATTACH
                n += 1
    return SHIFT if n == number else NONE


cdef void go(Search* q, const Gold* gold, int32_t move, int32_t arc, int32_t by) noexcept nogil:
    """Makes a move, by = -1, or takes it back, by = 1."""
    cdef int32_t s, b
    if arc >= 0:
        q.missing[gold.arc_head[arc]] += by
        q.missing[gold.arc_dependent[arc]] += by
        q.drawn[arc] = by < 0
        s = min(gold.arc_head[arc], gold.arc_dependent[arc])
        b = max(gold.arc_head[arc], gold.arc_dependent[arc])
    if move == SHIFT:
        if by < 0:
            q.stack[q.n_stack] = q.buffer[q.n_buffer - 1]
        else:
            q.buffer[q.n_buffer] = q.stack[q.n_stack - 1]
        q.n_buffer += by
        q.n_stack -= by
    elif move == LEFT_REDUCE:
        if by > 0:
            q.stack[q.n_stack] = s
        q.n_stack += by
    elif move == RIGHT_REDUCE:              # s takes the place of b
        if by > 0:
            q.stack[q.n_stack] = s
        q.n_stack += by
        q.buffer[q.n_buffer - 1] = b if by > 0 else s
    elif move == RIGHT_ATTACH:
        if by > 0:
            q.stack[q.n_stack] = s
        else:
            q.buffer[q.n_buffer] = s
        q.n_stack += by
        q.n_buffer -= by


cdef bint retry(const Spec* spec, Gold* gold) noexcept nogil:
    cdef Search* q
    cdef int32_t w, k, move, arc, n = gold.n, first = 0 if spec.traits & ROOT_IN_BUFFER else 1
    cdef int32_t most = 2 * n + 3 * gold.n_arcs + 8
    cdef int64_t patience = 20000 + 2000 * <int64_t>n
    if gold.extra != NULL or spec.options & ACYCLIC:
        return False
    q = <Search*>malloc(sizeof(Search))
    if q == NULL:
        return False
    gold.extra = q
    memset(q, 0, sizeof(Search))
    q.stack = <int32_t*>malloc((3 * (<size_t>n + 1) + 3 * <size_t>most) * sizeof(int32_t))
    q.drawn = <uint8_t*>malloc(<size_t>gold.n_arcs + 1)
    if q.stack == NULL or q.drawn == NULL:
        return False
    q.buffer, q.missing = q.stack + n + 1, q.stack + 2 * (n + 1)
    q.moves = q.missing + n + 1
    q.arcs, q.tried = q.moves + most, q.moves + 2 * most
    memset(q.drawn, 0, <size_t>gold.n_arcs + 1)
    memset(q.missing, 0, (<size_t>n + 1) * sizeof(int32_t))
    for k in range(gold.n_arcs):
        q.missing[gold.arc_head[k]] += 1
        q.missing[gold.arc_dependent[k]] += 1
    for w in range(n, first - 1, -1):
        q.buffer[q.n_buffer] = w
        q.n_buffer += 1
    k = 0                                   # arcs that have been drawn
    q.tried[0] = 0
    while q.n_buffer or k < gold.n_arcs:
        patience -= 1
        move = choice(q, gold, q.tried[q.n_moves], &arc) if q.n_buffer and q.n_moves < most - 1 else NONE
        if move >= 0:
            q.tried[q.n_moves] += 1
            q.moves[q.n_moves], q.arcs[q.n_moves] = move, arc
            go(q, gold, move, arc, -1)
            k += arc >= 0
            q.n_moves += 1
            q.tried[q.n_moves] = 0
        elif q.n_moves == 0 or patience < 0:
            return False
        else:
            q.n_moves -= 1
            go(q, gold, q.moves[q.n_moves], q.arcs[q.n_moves], 1)
            k -= q.arcs[q.n_moves] >= 0
    gold.value[AT] = 0
    return True


ORACLE = StaticOracle.wrap(next_move, prepare, N_SCRATCH, False, (), close, retry)
