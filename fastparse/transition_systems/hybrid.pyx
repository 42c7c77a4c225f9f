"""Hybrid (Kuhlmann, Gómez-Rodríguez and Satta, 2011): projective trees; mixes arc-eager and arc-standard.

    move        from             to                   legal when
    SHIFT       (S, b|B)         (S|b, B)             -
    LEFT-ARC    (S|s, b|B)       (S, b|B)      b->s   s is not the root
    RIGHT-ARC   (S|t|s, B)       (S|t, B)      t->s   -

Starts with the root on the stack; final when only the root is left. No word in sight ever has a head.
"""

from fastparse.machine.ends cimport one_left
from fastparse.machine.operations cimport (
    below, connect_leaving, front, own_front, own_top, pop, shift, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System


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
