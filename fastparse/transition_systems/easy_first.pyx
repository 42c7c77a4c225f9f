"""Easy-first (Goldberg and Elhadad, 2010): projective trees; neighbours in one list are joined in any order.

    move             from                  to                            legal when
    SHIFT            p1, p2, ..            p2, ..                        p1 is not the root
    ATTACH-LEFT(i)   .., p[i], p[i+1], ..  .., p[i], ..    p[i]->p[i+1]  -
    ATTACH-RIGHT(i)  .., p[i], p[i+1], ..  .., p[i+1], ..  p[i+1]->p[i]  p[i] is not the root

Starts with 0..n pending; final when only the root is. The root never leaves and stays in front, so that SHIFT, which
sets the roots of a forest apart, has no use here. n moves to a tree.

A move is a kind and a place. SYSTEM knows the kinds only and acts on the pair at State.focus; theory/easy_first.pyx
numbers the places. The static oracle has them too: theory/easy_first_oracle.py.
"""

from fastparse.machine.operations cimport below, word_of
from fastparse.machine.spec cimport ROOT_IN_FOCUS, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t right = below(a, c.focus)
    if right < 0:
        return 0
    return (1 << ATTACH_LEFT) | ((1 << ATTACH_RIGHT) if word_of(a, c.focus) != 0 else 0)


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t left = c.focus
    if move == SHIFT:
        return
    if move == ATTACH_RIGHT:
        c.focus = a.cells[left].below
    pending_attach(a, c, left, move == ATTACH_LEFT, label)


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return a.n == 0 or a.cells[0].below < 0


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    if move == ATTACH_LEFT:
        head[0], dependent[0] = c.focus, below(a, c.focus)
    else:
        head[0], dependent[0] = below(a, c.focus), c.focus


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << ATTACH_LEFT) | (1 << ATTACH_RIGHT),
    drawing=(1 << ATTACH_LEFT) | (1 << ATTACH_RIGHT), leftward=1 << ATTACH_RIGHT, traits=ROOT_IN_FOCUS, n_stacks=0,
    cells_per_move=0, options=0, data=NULL, start=NULL, legal=legal, apply=apply, is_final=is_final, arc=arc)

SYSTEM = System.wrap(
    &SPEC, "easy-first", ("SHIFT", "ATTACH-LEFT", "ATTACH-RIGHT"), "projective", None, ("focus", "pending"))
