"""What dynamic oracles share: the moves of least cost, and the arcs that can still be drawn together."""

from fastparse.machine.state cimport NONE, int32_t, uint32_t


cdef inline uint32_t cheapest(const int32_t* cost, int32_t n_moves, uint32_t legal) noexcept nogil:
    """The legal moves of least cost."""
    cdef int32_t m, least = 0x7FFFFFFF
    cdef uint32_t best = 0
    for m in range(n_moves):
        if legal >> m & 1 and cost[m] <= least:
            if cost[m] < least:
                best = 0
            least = cost[m]
            best |= <uint32_t>1 << m
    return best


cdef inline int32_t losses(int32_t n, const int32_t* head, const int32_t* parent, int32_t* mark) noexcept nogil:
    """The gold arcs that are lost where each can be drawn alone but a cycle must lack one of its arcs.

    parent is the head a word has or, if that can still be drawn, gets; no two cycles share a word.
    """
    cdef int32_t w, x, lost = 0
    for w in range(n + 1):
        mark[w] = NONE
    for w in range(1, n + 1):
        lost += parent[w] != head[w]
        x = w
        while x > 0 and mark[x] < 0:
            mark[x] = w
            x = parent[x]
        lost += x > 0 and mark[x] == w
    return lost
