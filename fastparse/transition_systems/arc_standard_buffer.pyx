"""Arc-standard, buffer variant (Nivre, 2003): projective trees, bottom-up, arcs between stack top and buffer front.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    LEFT-ARC    (S|s, b|B)     (S, b|B)    b->s   s is not the root
    RIGHT-ARC   (S|s, b|B)     (S, s|B)    s->b   -

Starts with the root on the stack; final when the buffer is empty. No word in sight ever has a head.

The static oracle draws an arc as soon as its dependent has all its own dependents, and shifts otherwise. gold.missing
of a complete dependent counts one arc, the one to its head.
"""

from fastparse.machine.operations cimport (
    buffer_empty, buffer_word, connect_leaving, front, own_front, pop, replace_front, shift, top_and_front, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport Gold, StaticOracle

cdef enum:
    SHIFT, LEFT_ARC, RIGHT_ARC, N_MOVES


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = c.stack[0]
    if front(a, c) < 0:
        return 0
    if s < 0:
        return 1 << SHIFT
    if word_of(a, s) == 0:
        return (1 << SHIFT) | (1 << RIGHT_ARC)
    return (1 << SHIFT) | (1 << LEFT_ARC) | (1 << RIGHT_ARC)


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t leaving
    if move == SHIFT:
        shift(a, c)
    elif move == LEFT_ARC:
        leaving = pop(a, c)
        connect_leaving(a, c, own_front(a, c), leaving, label)
    else:
        leaving = replace_front(a, c)
        connect_leaving(a, c, c.returned, leaving, label)


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=1, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=buffer_empty, arc=top_and_front)

SYSTEM = System.wrap(&SPEC, "arc-standard/buffer", ("SHIFT", "LEFT-ARC", "RIGHT-ARC"), covers="projective")


# ── the static oracle ──

cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    cdef int32_t s = word_of(a, c.stack[0]), b = buffer_word(a, c)
    if s >= 0 and b >= 0:
        if gold.head[s] == b and gold.missing[s] == 1:
            return LEFT_ARC
        if gold.head[b] == s and gold.missing[b] == 1:
            return RIGHT_ARC
    return SHIFT if b >= 0 else NONE


ORACLE = StaticOracle.wrap(next_move)
