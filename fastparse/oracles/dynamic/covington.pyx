"""The dynamic oracle of Covington's algorithm (Gómez-Rodríguez and Fernández-González, 2015).

A gold arc can be drawn if its words have not been in focus together and its dependent has no head. All such arcs can be
drawn together, but for one in each cycle they make with the arcs drawn.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.oracles.dynamic.costs cimport cheapest, losses
from fastparse.oracles.dynamic_oracle cimport DynamicOracle
from fastparse.transition_systems.covington cimport LEFT_ARC, N_MOVES, RIGHT_ARC, SHIFT


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t i = c.focus, j = c.next, left, m, w, low, high
    cdef int32_t* parent = scratch
    cdef int32_t cost[N_MOVES]
    for m in range(N_MOVES):
        if not legal >> m & 1:
            continue
        left = NONE if m == SHIFT else i - 1        # where the left focus of j will be
        for w in range(1, a.n + 1):
            low, high = min(w, head[w]), max(w, head[w])
            parent[w] = a.cells[w].head
            if parent[w] < 0 and (high > j or high == j and low <= left):
                parent[w] = head[w]
        if m == LEFT_ARC:
            parent[i] = j
        elif m == RIGHT_ARC:
            parent[j] = i
        cost[m] = losses(a.n, head, parent, scratch + a.n + 1)
    return cheapest(cost, N_MOVES, legal)


ORACLE = DynamicOracle.wrap(best_moves, NULL)
