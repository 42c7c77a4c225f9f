"""The dynamic oracle of arc-eager (Goldberg and Nivre, 2012).

The system is arc-decomposable, so a move's cost is the number of gold arcs it makes unreachable, each counted by
itself:

    SHIFT b       b's head on the stack; b's headless children on the stack
    REDUCE s      s's children in the buffer
    LEFT-ARC      s's head in the buffer behind b; s's children in the buffer
    RIGHT-ARC     b's head on the stack below s or in the buffer; b's headless children on the stack
"""

from fastparse.machine.operations cimport buffer_word, word_of
from fastparse.oracles.dynamic.costs cimport cheapest
from fastparse.oracles.dynamic_oracle cimport DynamicOracle
from fastparse.transition_systems.arc_eager cimport LEFT_ARC, N_MOVES, REDUCE, RIGHT_ARC, SHIFT


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), cell = c.stack[0], k
    cdef int32_t cost[N_MOVES]
    cdef int32_t children_of_s = 0, children_of_b = 0
    cdef bint head_of_b_on_stack = False
    while cell >= 0:
        k = a.cells[cell].word
        head_of_b_on_stack = head_of_b_on_stack or head[b] == k
        children_of_b += k > 0 and head[k] == b and a.cells[cell].head < 0
        cell = a.cells[cell].below
    if s >= 0:
        for k in range(b, a.n + 1):
            children_of_s += head[k] == s
    # Words that two-registers returns to the buffer may have a head.
    head_of_b_on_stack = head_of_b_on_stack and (b < 0 or a.cells[b].head < 0)
    cost[SHIFT] = children_of_b + head_of_b_on_stack
    cost[REDUCE] = children_of_s
    cost[LEFT_ARC] = children_of_s + (s >= 0 and head[s] > b)
    cost[RIGHT_ARC] = children_of_b + (head[b] != s and (head_of_b_on_stack or head[b] > b))
    return cheapest(cost, N_MOVES, legal)


ORACLE = DynamicOracle.wrap(best_moves, NULL)
