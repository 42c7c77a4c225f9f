"""2-planar (Gómez-Rodríguez and Nivre, 2010): two planar stacks over one buffer.

    move        from                to                     legal when
    SHIFT       (S, T, b|B)         (S|b, T|b, B)          -
    REDUCE      (S|s, T, B)         (S, T, B)              -
    LEFT-ARC    (S|s, T, b|B)       the same        b->s   s is not the root and has no head; no cycle
    RIGHT-ARC   (S|s, T, b|B)       the same        s->b   b is not the root and has no head; no cycle
    SWITCH      (S, T, B)           (T, S, B)              the last move was not SWITCH

Starts with empty stacks and 0..n (root="token") or 1..n (root="absent") in the buffer; final when that is empty.

A word lies in both stacks, so its cell is found through Words. With single heads a cycle needs an arc within a
component: components are trees of words (words.pxd), the smaller hung below the larger and never compressed, so that
asking costs O(log n) and beams share them.
"""

from fastparse.machine.operations cimport connect, has_head
from fastparse.machine.spec cimport OVER_WORDS, ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.machine.words cimport cell_of, component, join, own_word, pop_word, push_word, start_components, top_word


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = top_word(a, c, 0), b = c.next
    cdef uint32_t moves = <uint32_t>1 << SHIFT
    cdef bint left, right
    if b > a.n:
        return 0
    if not c.own_flags:
        moves |= <uint32_t>1 << SWITCH
    if s < 0:
        return moves
    moves |= <uint32_t>1 << REDUCE
    left = s != 0 and not has_head(a, cell_of(a, c, s))
    right = b != 0 and not has_head(a, cell_of(a, c, b))
    if (left or right) and component(a, c, s) != component(a, c, b):
        moves |= <uint32_t>left << LEFT_ARC | <uint32_t>right << RIGHT_ARC
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s, b
    c.own_flags = SWITCHED if move == SWITCH else 0
    if move == SHIFT:
        push_word(a, c, 0, c.next)
        push_word(a, c, 1, c.next)
        c.next += 1
    elif move == REDUCE:
        pop_word(a, c, 0)
    elif move == SWITCH:
        c.stack[0], c.stack[1] = c.stack[1], c.stack[0]
        c.plane[0], c.plane[1] = c.plane[1], c.plane[0]
    else:
        join(a, c, top_word(a, c, 0), c.next)
        s = own_word(a, c, top_word(a, c, 0))
        b = own_word(a, c, c.next)
        if move == LEFT_ARC:
            connect(a, c, b, s, label)
        else:
            connect(a, c, s, b, label)


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return c.next > a.n


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    cdef int32_t s = cell_of(a, c, top_word(a, c, 0)), b = cell_of(a, c, c.next)
    if move == LEFT_ARC:
        head[0], dependent[0] = b, s
    else:
        head[0], dependent[0] = s, b


def make(root: str) -> System:
    """The 2-planar system with or without the root in the buffer."""
    cdef Spec spec = Spec(
        n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
        leftward=1 << LEFT_ARC, traits=OVER_WORDS | (ROOT_IN_BUFFER if root == "token" else 0), n_stacks=2,
        cells_per_move=4, options=0, data=NULL, start=start_components, legal=legal, apply=apply, is_final=is_final,
        arc=arc)
    return System.wrap(
        &spec, "2-planar", ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "SWITCH"), "2-planar", None,
        ("inactive",), {"switched": SWITCHED})
