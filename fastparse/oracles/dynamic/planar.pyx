"""The dynamic oracle of the planar system, for planar gold trees.

A gold arc can be drawn if one of its words is in the buffer, the other there or on the stack, and its dependent has no
head. Whatever has to leave the stack first has no such arc left, or that would cross this one. So all of them can be
drawn together, but for one in each cycle they make with the arcs drawn.
"""

from fastparse.machine.operations cimport buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.oracles.dynamic.costs cimport cheapest, losses
from fastparse.oracles.dynamic_oracle cimport DynamicOracle
from fastparse.transition_systems.planar cimport LEFT_ARC, N_MOVES, REDUCE, RIGHT_ARC, SHIFT


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), cell, m, w, low, high, first
    cdef int32_t* parent = scratch
    cdef int32_t* gone = scratch + 2 * (a.n + 1)
    cdef int32_t cost[N_MOVES]
    for m in range(N_MOVES):
        if not legal >> m & 1:
            continue
        for w in range(b):
            gone[w] = True
        cell = c.stack[0]
        while cell >= 0:
            gone[a.cells[cell].word] = m == REDUCE and cell == c.stack[0]
            cell = a.cells[cell].below
        gone[b] = False
        first = b + 1 if m == SHIFT else b
        for w in range(1, a.n + 1):
            low, high = min(w, head[w]), max(w, head[w])
            parent[w] = a.cells[w].head
            if parent[w] < 0 and high >= first and (low > b or not gone[low]):
                parent[w] = head[w]
        if m == LEFT_ARC:
            parent[s] = b
        elif m == RIGHT_ARC:
            parent[b] = s
        cost[m] = losses(a.n, head, parent, scratch + a.n + 1)
    return cheapest(cost, N_MOVES, legal)


ORACLE = DynamicOracle.wrap(best_moves, NULL)
