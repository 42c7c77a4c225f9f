"""Range minima with positions: a segment tree of winners over int32 values.

The caller owns both arrays: `value` [m] and `node` [2 * m]. node[m + i] is leaf i; node[i] is the winner (the
position of the smaller value, the left one in a tie) of nodes 2i and 2i + 1. For maxima, negate the values. Build
O(m), update and query O(log m).
"""

from libc.stdint cimport int32_t


cdef inline int32_t _better(const int32_t* value, int32_t i, int32_t j) noexcept nogil:
    if value[j] < value[i] or (value[j] == value[i] and j < i):
        return j
    return i


cdef inline void minima_build(int32_t* node, const int32_t* value, int32_t m) noexcept nogil:
    cdef int32_t i
    for i in range(m):
        node[m + i] = i
    for i in range(m - 1, 0, -1):
        node[i] = _better(value, node[2 * i], node[2 * i + 1])


cdef inline void minima_update(int32_t* node, const int32_t* value, int32_t m, int32_t i) noexcept nogil:
    """Repair the winners after value[i] changed."""
    i = (m + i) >> 1
    while i >= 1:
        node[i] = _better(value, node[2 * i], node[2 * i + 1])
        i >>= 1


cdef inline int32_t minima_where(
    const int32_t* node, const int32_t* value, int32_t m, int32_t start, int32_t stop
) noexcept nogil:
    """Position of the smallest of value[start:stop], or -1 when the range is empty."""
    cdef int32_t best = -1
    if start >= stop:
        return -1
    start += m
    stop += m
    while start < stop:
        if start & 1:
            best = node[start] if best < 0 else _better(value, best, node[start])
            start += 1
        if stop & 1:
            stop -= 1
            best = node[stop] if best < 0 else _better(value, best, node[stop])
        start >>= 1
        stop >>= 1
    return best
