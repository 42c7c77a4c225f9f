"""Hybrid (Kuhlmann, Gómez-Rodríguez and Satta, 2011): projective trees; mixes arc-eager and arc-standard.

    move        from             to                   legal when
    SHIFT       (S, b|B)         (S|b, B)             -
    LEFT-ARC    (S|s, b|B)       (S, b|B)      b->s   s is not the root
    RIGHT-ARC   (S|t|s, B)       (S|t, B)      t->s   -

Starts with the root on the stack; final when only the root is left. No word in sight ever has a head.

The static oracle draws LEFT-ARC, else RIGHT-ARC, as soon as the dependent has all its own dependents, and shifts
otherwise. gold.missing of a complete dependent counts one arc, the one to its head.

The dynamic oracle is exact (Goldberg and Nivre, 2013), as the system is arc-decomposable. A move costs

    SHIFT b       b's head on the stack below s; b's children on the stack
    LEFT-ARC      s's head below s or in the buffer behind b; s's children in the buffer
    RIGHT-ARC     s's head in the buffer; s's children in the buffer
"""

from fastparse.machine.operations cimport (
    below, buffer_word, connect_leaving, front, one_left, own_front, own_top, pop, shift, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport DynamicOracle, Gold, StaticOracle, cheapest

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, N_MOVES


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef uint32_t moves = 0
    if front(a, c) >= 0:
        moves |= 1 << SHIFT
        if word_of(a, c.stack[0]) > 0:
            moves |= 1 << LEFT_ARC
    if below(a, c.stack[0]) >= 0:
        moves |= 1 << RIGHT_ARC
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s, head
    if move == SHIFT:
        shift(a, c)
        return
    s = pop(a, c)
    head = own_front(a, c) if move == LEFT_ARC else own_top(a, c)
    connect_leaving(a, c, head, s, label)


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    dependent[0] = c.stack[0]
    head[0] = front(a, c) if move == LEFT_ARC else below(a, c.stack[0])


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=1, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=one_left, arc=arc)

SYSTEM = System.wrap(&SPEC, "hybrid", ("SHIFT", "LEFT-ARC", "RIGHT-ARC"), covers="projective")


# ── the static oracle ──

cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t s = word_of(a, c.stack[0]), b = buffer_word(a, c)
    if s > 0 and gold.missing[s] == 1:
        if gold.head[s] == b:
            return LEFT_ARC
        if gold.head[s] == word_of(a, below(a, c.stack[0])):
            return RIGHT_ARC
    return SHIFT if b >= 0 else NONE


ORACLE = StaticOracle.wrap(next_move)


# ── the dynamic oracle ──

cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), t = word_of(a, below(a, c.stack[0]))
    cdef int32_t cell = c.stack[0], k
    cdef int32_t cost[N_MOVES]
    cost[SHIFT] = cost[LEFT_ARC] = cost[RIGHT_ARC] = 0
    if b >= 0:
        while cell >= 0:
            k = a.cells[cell].word
            cost[SHIFT] += (k > 0 and head[k] == b) + (k != s and head[b] == k)
            cell = a.cells[cell].below
        for k in range(b, a.n + 1):
            cost[LEFT_ARC] += head[k] == s
            cost[RIGHT_ARC] += head[k] == s
        cost[LEFT_ARC] += s > 0 and (head[s] > b or head[s] == t)
        cost[RIGHT_ARC] += s > 0 and head[s] >= b
    return cheapest(cost, N_MOVES, legal)


DYNAMIC = DynamicOracle.wrap(best_moves)
