"""The dynamic oracle of the hybrid system (Goldberg and Nivre, 2013), which is arc-decomposable.

    SHIFT b       b's head on the stack below s; b's children on the stack
    LEFT-ARC      s's head below s or in the buffer behind b; s's children in the buffer
    RIGHT-ARC     s's head in the buffer; s's children in the buffer
"""

from fastparse.machine.operations cimport below, buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.oracles.dynamic.costs cimport cheapest
from fastparse.oracles.dynamic_oracle cimport DynamicOracle
from fastparse.transition_systems.hybrid cimport LEFT_ARC, N_MOVES, RIGHT_ARC, SHIFT


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), t = word_of(a, below(a, c.stack[0]))
    cdef int32_t cell = c.stack[0], k
    cdef int32_t cost[N_MOVES]
    cost[SHIFT] = cost[LEFT_ARC] = cost[RIGHT_ARC] = 0
    if b >= 0:
        while cell >= 0:
            k = a.cells[cell].word
            cost[SHIFT] += (k > 0 and head[k] == b) + (k != s and head[b] == k)
            cell = a.cells[cell].below
        for k in range(b, a.n + 1):
            cost[LEFT_ARC] += head[k] == s
            cost[RIGHT_ARC] += head[k] == s
        cost[LEFT_ARC] += s > 0 and (head[s] > b or head[s] == t)
        cost[RIGHT_ARC] += s > 0 and head[s] >= b
    return cheapest(cost, N_MOVES, legal)


ORACLE = DynamicOracle.wrap(best_moves, NULL)
