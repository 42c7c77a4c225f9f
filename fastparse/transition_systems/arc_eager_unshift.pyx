"""Arc-eager under the tree constraint (Nivre and Fernández-González, 2014): projective trees, and always trees.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           no word was unshifted
    REDUCE      (S|s, B)       (S, B)             s has a head
    LEFT-ARC    (S|s, b|B)     (S, b|B)    b->s   s is not the root and has no head
    RIGHT-ARC   (S|s, b|B)     (S|s|b, B)  s->b   -
    UNSHIFT     (S|s, [])      (S, [s])           s is not the root and has no head

Starts with the root on the stack; final when only the root is left. Once the buffer is empty, words with a head leave
the stack, and the others come back to the buffer, one at a time, until they have one: there is always a move, and at
most 4n of them. The static oracle derives a tree in 2n moves, without UNSHIFT.

The flag of the paper is set when the buffer gets empty, this one when UNSHIFT fills it again: SHIFT is never legal in
between, so both bar the same moves.
"""

from fastparse.machine.ends cimport top_and_front
from fastparse.machine.operations cimport front, has_head, pop, unshift, word_of
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.arc_eager cimport (
    LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, apply as apply_arc_eager, legal as legal_in_arc_eager)


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = c.stack[0]
    if front(a, c) >= 0:
        return legal_in_arc_eager(spec, a, c) & ~(<uint32_t>(c.own_flags & UNSHIFTED) << SHIFT)
    if has_head(a, s):
        return <uint32_t>1 << REDUCE
    return <uint32_t>(word_of(a, s) != 0) << UNSHIFT


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    if move == UNSHIFT:
        unshift(a, c, pop(a, c))
        c.own_flags = UNSHIFTED
    else:
        apply_arc_eager(spec, a, c, move, label)


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return front(a, c) < 0 and word_of(a, c.stack[0]) == 0


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=2, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=is_final, arc=top_and_front)

SYSTEM = System.wrap(
    &SPEC, "arc-eager/unshift", ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "UNSHIFT"), "projective", None, (),
    {"unshifted": UNSHIFTED})
