"""Arc-eager (Nivre, 2003): projective trees; each arc as soon as both ends are in sight.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    REDUCE      (S|s, B)       (S, B)             s has a head
    LEFT-ARC    (S|s, b|B)     (S, b|B)    b->s   s is not the root and has no head
    RIGHT-ARC   (S|s, b|B)     (S|s|b, B)  s->b   -

Starts with the root on the stack; final when the buffer is empty.

The static oracle draws arcs as soon as they are in sight, and words leave as soon as they are complete. It builds any
projective tree; of any other an arc stays out.

    LEFT-ARC    b -> s is in the tree, and s has all its dependents
    RIGHT-ARC   s -> b is in the tree
    REDUCE      s has its head and all its dependents
    SHIFT       otherwise

The dynamic oracle is exact (Goldberg and Nivre, 2012). The system is arc-decomposable, so a move's cost is the number
of gold arcs it makes unreachable, each counted by itself:

    SHIFT b       b's head on the stack; b's headless children on the stack
    REDUCE s      s's children in the buffer
    LEFT-ARC      s's head in the buffer behind b; s's children in the buffer
    RIGHT-ARC     b's head on the stack below s or in the buffer; b's headless children on the stack
"""

from fastparse.machine.operations cimport (
    buffer_empty, buffer_word, connect, connect_leaving, front, has_head, own_front, own_top, pop, push, shift,
    take_front, top_and_front, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport DynamicOracle, StaticOracle, cheapest


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = c.stack[0]
    cdef bint input_left = front(a, c) >= 0
    cdef uint32_t moves = <uint32_t>input_left << SHIFT
    if not input_left:
        return 0
    if s >= 0:
        moves |= <uint32_t>1 << RIGHT_ARC
        if has_head(a, s):
            moves |= <uint32_t>1 << REDUCE
        elif word_of(a, s) != 0:
            moves |= <uint32_t>1 << LEFT_ARC
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s, b
    if move == SHIFT:
        shift(a, c)
    elif move == REDUCE:
        pop(a, c)
    elif move == LEFT_ARC:
        s = pop(a, c)
        connect_leaving(a, c, own_front(a, c), s, label)
    else:
        s = own_top(a, c)
        b = take_front(a, c)
        connect(a, c, s, b, label)
        push(a, c, b)


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=2, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=buffer_empty, arc=top_and_front)

SYSTEM = System.wrap(
    &SPEC, "arc-eager", ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC"), covers="projective")


# ── the static oracle ──

cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c)
    if s < 0:
        return SHIFT
    if gold.head[s] == b and gold.missing[s] == 1:
        return LEFT_ARC
    if gold.head[b] == s:
        return RIGHT_ARC
    if gold.missing[s] == 0 and a.cells[s].head >= 0:
        return REDUCE
    return SHIFT


ORACLE = StaticOracle.wrap(next_move)


# ── the dynamic oracle ──

cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), cell = c.stack[0], k
    cdef int32_t cost[N_MOVES]
    cdef int32_t children_of_s = 0, children_of_b = 0
    cdef bint head_of_b_on_stack = False
    while cell >= 0:
        k = a.cells[cell].word
        head_of_b_on_stack = head_of_b_on_stack or head[b] == k
        children_of_b += k > 0 and head[k] == b and a.cells[cell].head < 0
        cell = a.cells[cell].below
    if s >= 0:
        for k in range(b, a.n + 1):
            children_of_s += head[k] == s
    # Words that two-registers returns to the buffer may have a head.
    head_of_b_on_stack = head_of_b_on_stack and (b < 0 or a.cells[b].head < 0)
    cost[SHIFT] = children_of_b + head_of_b_on_stack
    cost[REDUCE] = children_of_s
    cost[LEFT_ARC] = children_of_s + (s >= 0 and head[s] > b)
    cost[RIGHT_ARC] = children_of_b + (head[b] != s and (head_of_b_on_stack or head[b] > b))
    return cheapest(cost, N_MOVES, legal)


DYNAMIC = DynamicOracle.wrap(best_moves)
