"""Arc-eager (Nivre, 2003): projective trees; each arc as soon as both ends are in sight.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    REDUCE      (S|s, B)       (S, B)             s has a head
    LEFT-ARC    (S|s, b|B)     (S, b|B)    b->s   s is not the root and has no head
    RIGHT-ARC   (S|s, b|B)     (S|s|b, B)  s->b   -

Starts with the root on the stack; final when the buffer is empty.
"""

from fastparse.machine.ends cimport buffer_empty, top_and_front
from fastparse.machine.operations cimport (
    connect, connect_leaving, front, has_head, own_front, own_top, pop, push, shift, take_front, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK
from fastparse.machine.system cimport System


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
