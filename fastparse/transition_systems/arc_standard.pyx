"""Arc-standard, stack variant (Nivre, 2004): projective trees, bottom-up, arcs between the two topmost stack words.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    LEFT-ARC    (S|t|s, B)     (S|s, B)    s->t   t is not the root
    RIGHT-ARC   (S|t|s, B)     (S|t, B)    t->s   -

Starts with the root on the stack; final when only the root is left. No word in sight ever has a head.

The static oracle draws an arc as soon as its dependent has all its own dependents, and shifts otherwise. gold.missing
of a complete dependent counts one arc, the one to its head.
"""

from fastparse.machine.operations cimport (
    below, connect_leaving, front, one_left, own_top, pop, shift, take_second, top_two, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport Gold, StaticOracle

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, N_MOVES


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t t = below(a, c.stack[0])
    cdef uint32_t moves = 0
    if front(a, c) >= 0:
        moves |= <uint32_t>1 << SHIFT
    if t >= 0:
        moves |= <uint32_t>1 << RIGHT_ARC
        if word_of(a, t) != 0:
            moves |= <uint32_t>1 << LEFT_ARC
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t leaving
    if move == SHIFT:
        shift(a, c)
    elif move == LEFT_ARC:
        leaving = take_second(a, c)
        connect_leaving(a, c, c.stack[0], leaving, label)
    else:
        leaving = pop(a, c)
        connect_leaving(a, c, own_top(a, c), leaving, label)


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=1, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=one_left, arc=top_two)

SYSTEM = System.wrap(&SPEC, "arc-standard", ("SHIFT", "LEFT-ARC", "RIGHT-ARC"), covers="projective")


# ── the static oracle ──

cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t s = word_of(a, c.stack[0]), t = word_of(a, below(a, c.stack[0]))
    if t >= 0:
        if gold.head[t] == s and gold.missing[t] == 1:
            return LEFT_ARC
        if gold.head[s] == t and gold.missing[s] == 1:
            return RIGHT_ARC
    return SHIFT if front(a, c) >= 0 else NONE


ORACLE = StaticOracle.wrap(next_move)
