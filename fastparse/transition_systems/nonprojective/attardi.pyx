"""Attardi's system with arcs of degree 2 (Attardi, 2006): all projective and many non-projective trees.

    move        from             to                   legal when
    SHIFT       (S, b|B)         (S|b, B)             -
    LEFT-ARC    (S|s, b|B)       (S, b|B)      b->s   s is not the root
    RIGHT-ARC   (S|s, b|B)       (S, s|B)      s->b   -
    LEFT-ARC2   (S|t|s, b|B)     (S|s, b|B)    b->t   t is not the root
    RIGHT-ARC2  (S|t|s, b|B)     (S|t, s|B)    t->b   -

Starts with the root on the stack; final when the buffer is empty. No word in sight ever has a head.
"""

from fastparse.machine.ends cimport buffer_empty
from fastparse.machine.operations cimport (
    below, connect_leaving, front, own_front, own_top, pop, replace_front, shift, take_second, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System

cdef enum:
    DRAWING = (1 << LEFT_ARC) | (1 << RIGHT_ARC) | (1 << LEFT_ARC2) | (1 << RIGHT_ARC2)


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = c.stack[0], t = below(a, s)
    cdef uint32_t moves
    if front(a, c) < 0:
        return 0
    moves = 1 << SHIFT
    if s >= 0:
        moves |= 1 << RIGHT_ARC
        if word_of(a, s) != 0:
            moves |= 1 << LEFT_ARC
    if t >= 0:
        moves |= 1 << RIGHT_ARC2
        if word_of(a, t) != 0:
            moves |= 1 << LEFT_ARC2
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t head, dependent
    if move == SHIFT:
        shift(a, c)
        return
    if move == LEFT_ARC or move == LEFT_ARC2:
        dependent = pop(a, c) if move == LEFT_ARC else take_second(a, c)
        head = own_front(a, c)
    else:
        dependent = replace_front(a, c)
        head = c.returned if move == RIGHT_ARC else own_top(a, c)
    connect_leaving(a, c, head, dependent, label)


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    cdef int32_t place = c.stack[0] if move == LEFT_ARC or move == RIGHT_ARC else below(a, c.stack[0])
    if move == LEFT_ARC or move == LEFT_ARC2:
        head[0], dependent[0] = front(a, c), place
    else:
        head[0], dependent[0] = place, front(a, c)


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=DRAWING, drawing=DRAWING, leftward=(1 << LEFT_ARC) | (1 << LEFT_ARC2),
    traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=2, options=0, data=NULL, start=NULL, legal=legal, apply=apply,
    is_final=buffer_empty, arc=arc)

SYSTEM = System.wrap(
    &SPEC, "attardi", ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "LEFT-ARC2", "RIGHT-ARC2"), covers="attardi-2")
