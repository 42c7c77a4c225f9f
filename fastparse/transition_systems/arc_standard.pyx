"""Arc-standard, stack variant (Nivre, 2004): projective trees, bottom-up, arcs between the two topmost stack words.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    LEFT-ARC    (S|t|s, B)     (S|s, B)    s->t   t is not the root
    RIGHT-ARC   (S|t|s, B)     (S|t, B)    t->s   -

Starts with the root on the stack; final when only the root is left. No word in sight ever has a head.
"""

from fastparse.machine.ends cimport one_left, top_two
from fastparse.machine.operations cimport (
    below, connect_leaving, front, own_top, pop, shift, take_second, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System


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
