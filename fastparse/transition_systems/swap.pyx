"""Swap (Nivre, 2009): all trees; arc-standard that may put words into another order first.

    move        from           to                 legal when
    SHIFT       (S, b|B)       (S|b, B)           -
    LEFT-ARC    (S|t|s, B)     (S|s, B)    s->t   t is not the root
    RIGHT-ARC   (S|t|s, B)     (S|t, B)    t->s   -
    SWAP        (S|t|s, B)     (S|s, t|B)         0 < t < s in the order of the sentence

Starts with the root on the stack; final when only the root is left. Two words swap at most once, so that there are at
most n (n - 1) / 2 swaps and every derivation ends. Its oracles are in swap_oracle.pyx.
"""

from fastparse.machine.operations cimport (
    below, connect_leaving, front, one_left, own_top, pop, shift, take_second, top_two, unshift, word_of)
from fastparse.machine.spec cimport ROOT_ON_STACK, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef int32_t s = c.stack[0], t = below(a, s)
    cdef uint32_t moves = 0
    if front(a, c) >= 0:
        moves |= 1 << SHIFT
    if t >= 0:
        moves |= 1 << RIGHT_ARC
        if word_of(a, t) != 0:
            moves |= 1 << LEFT_ARC
            if word_of(a, t) < word_of(a, s):
                moves |= 1 << SWAP
    return moves


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t leaving
    if move == SWAP:
        unshift(a, c, take_second(a, c))
    elif move == LEFT_ARC:
        leaving = take_second(a, c)
        connect_leaving(a, c, c.stack[0], leaving, label)
    elif move == RIGHT_ARC:
        leaving = pop(a, c)
        connect_leaving(a, c, own_top(a, c), leaving, label)
    else:
        shift(a, c)


cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=(1 << LEFT_ARC) | (1 << RIGHT_ARC), drawing=(1 << LEFT_ARC) | (1 << RIGHT_ARC),
    leftward=1 << LEFT_ARC, traits=ROOT_ON_STACK, n_stacks=1, cells_per_move=2, options=0, data=NULL, start=NULL,
    legal=legal, apply=apply, is_final=one_left, arc=top_two)

SYSTEM = System.wrap(&SPEC, "swap", ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "SWAP"), covers="all")
