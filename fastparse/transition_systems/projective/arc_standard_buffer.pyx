"""Arc-standard, buffer variant (Nivre, 2003): projective trees, bottom-up, arcs between stack top and buffer front.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    LEFT-ARC    (S|s, b|B)     (S, b|B)    b->s   s is not the root
    RIGHT-ARC   (S|s, b|B)     (S, s|B)    s->b   -

Starts with the root on the stack; final when the buffer is empty. No word in sight ever has a head.
"""

from fastparse.machine.ends cimport buffer_empty, top_and_front
from fastparse.machine.operations cimport (
    adopt, attach_leaving, drop_front, front, own_front, pop, shift, unshift, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System


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
    cdef int32_t s, b
    if move == SHIFT:
        shift(a, c)
    elif move == LEFT_ARC:
        s = pop(a, c)
        b = own_front(a, c)
        attach_leaving(a, s, b, label)
        adopt(a, c, b, word_of(a, s), label)
    else:
        b = drop_front(a, c)
        unshift(a, c, pop(a, c))
        s = c.returned
        attach_leaving(a, b, s, label)
        adopt(a, c, s, word_of(a, b), label)


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=1, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=buffer_empty, arc=top_and_front)

SYSTEM = System.wrap(&SPEC, "arc-standard/buffer", ("SHIFT", "LEFT-ARC", "RIGHT-ARC"), covers="projective")
