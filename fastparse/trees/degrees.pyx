"""One-endpoint-crossing, well-nestedness, gap degree, edge degree, covered roots.

All but the edge degree take O(n log n), however many arcs cross; the edge degree visits every crossing once.
"""

from libc.stdint cimport int32_t

from fastparse.trees.crossing cimport for_each_crossing, sort_arcs
from fastparse.trees.tree cimport Tree, area, dominates, left_end, right_end


# ── range minima with positions ──

# A segment tree of winners over int32 values. The caller owns both arrays: `value` [m] and `node` [2 * m]. node[m + i]
# is leaf i; node[i] is the winner (the position of the smaller value, the left one in a tie) of nodes 2i and 2i + 1.
# For maxima, negate the values. Build O(m), update and query O(log m).

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


# ── degrees and nesting ──

cdef void _two_least_build(int32_t* first, int32_t* second, int32_t size) noexcept nogil:
    """Segment tree of the two smallest different values: leaves are at first[size:], second[size:]."""
    cdef int32_t i
    for i in range(size - 1, 0, -1):
        first[i] = first[2 * i]
        second[i] = second[2 * i]
        _two_least_add(first[2 * i + 1], second[2 * i + 1], first + i, second + i)


cdef inline void _two_least_add(int32_t x, int32_t y, int32_t* first, int32_t* second) noexcept nogil:
    """Take x <= y into the pair of smallest different values."""
    if x < first[0]:
        second[0] = min(first[0], y) if y > x else first[0]
        first[0] = x
    elif x == first[0]:
        second[0] = min(second[0], y) if y > x else second[0]
    else:
        second[0] = min(second[0], x)


cdef void _two_least(
    const int32_t* first, const int32_t* second, int32_t size, int32_t start, int32_t stop, int32_t* x, int32_t* y
) noexcept nogil:
    start += size
    stop += size
    while start < stop:
        if start & 1:
            _two_least_add(first[start], second[start], x, y)
            start += 1
        if stop & 1:
            stop -= 1
            _two_least_add(first[stop], second[stop], x, y)
        start >>= 1
        stop >>= 1


cdef bint _one_inner_end(
    const int32_t* first, int32_t size, int32_t start, int32_t stop, int32_t bound, int32_t* inner
) noexcept nogil:
    """Whether at most one position of start..stop-1, and none but `inner` if that is set, has a value below bound."""
    cdef int32_t i, found = -1, x = start + size, y = stop + size
    while x < y:
        if x & 1:
            if first[x] < bound:
                if found >= 0:
                    return False
                found = x
            x += 1
        if y & 1:
            y -= 1
            if first[y] < bound:
                if found >= 0:
                    return False
                found = y
        x >>= 1
        y >>= 1
    if found < 0:
        return True
    i = found
    while i < size:
        i *= 2
        if first[i] < bound and first[i + 1] < bound:
            return False
        if first[i] >= bound:
            i += 1
    i -= size
    if inner[0] >= 0 and inner[0] != i:
        return False
    inner[0] = i
    return True


cdef bint is_one_endpoint_crossing(Tree* t, const int32_t* crossed) noexcept nogil:
    """Whether the arcs that cross any one arc share an end, given mark_crossed(root_arcs=True).

    O(n log n). Uses areas 0 to 7.
    The arcs that cross (l, r) join a position strictly inside to one outside. They share an end exactly when one
    inner position or one outer position has them all.
    """
    cdef int32_t m, l, r, p, q, inner, size = t.n + 1
    cdef int32_t low1, low2, high1, high2, n_outer
    cdef int32_t* low_first = area(t, 0)    # two smallest neighbours of each position and range
    cdef int32_t* low_second = area(t, 2)
    cdef int32_t* high_first = area(t, 4)   # minus the two largest
    cdef int32_t* high_second = area(t, 6)
    cdef int32_t none = size                # no neighbour: larger than any, and than minus any
    for p in range(size, 2 * size):
        low_first[p] = low_second[p] = high_first[p] = high_second[p] = none
    for m in range(1, size):
        p = size + left_end(t, m)
        q = size + right_end(t, m)
        _two_least_add(left_end(t, m), none, low_first + q, low_second + q)
        _two_least_add(-right_end(t, m), none, high_first + p, high_second + p)
    _two_least_build(low_first, low_second, size)
    _two_least_build(high_first, high_second, size)
    for m in range(1, size):
        if not crossed[m]:
            continue
        l = left_end(t, m)
        r = right_end(t, m)
        low1 = low2 = high1 = high2 = none
        _two_least(low_first, low_second, size, l + 1, r, &low1, &low2)
        _two_least(high_first, high_second, size, l + 1, r, &high1, &high2)
        n_outer = (low1 < l) + (low2 < l) + (high1 < -r) + (high2 < -r)
        if n_outer == 1:
            continue
        inner = -1
        if not _one_inner_end(low_first, size, l + 1, r, l, &inner):
            return False
        if not _one_inner_end(high_first, size, l + 1, r, -r, &inner):
            return False
    return True


cdef bint is_well_nested(Tree* t) noexcept nogil:
    """Whether no two disjoint subtrees interleave: O(n log n). Uses areas 0 to 7.

    They do exactly when two arcs cross whose heads are not one above the other (both subtrees are connected; compare
    Havelka, 2007). The sweep goes through right ends from the last to the first and keeps, by left end, the arcs that
    close later; inside an arc they all cross it. A head not above or below h is one whose subtree comes before or
    after that of h in preorder.
    """
    cdef int32_t r, i, j, m, h, x, start, stop, size = t.n + 1
    cdef int32_t* late = area(t, 0)         # minus the last preorder rank of a head of those arcs
    cdef int32_t* early = area(t, 1)        # first end, in preorder, of the subtree of a head of those arcs
    cdef int32_t* late_node = area(t, 2)
    cdef int32_t* early_node = area(t, 4)
    cdef int32_t* by_left = area(t, 6)
    cdef int32_t* by_right = area(t, 7)
    sort_arcs(t, True, by_left, by_right)
    for i in range(size):
        late[i] = 1
        early[i] = size + 1
    minima_build(late_node, late, size)
    minima_build(early_node, early, size)
    stop = t.n
    while stop > 0:
        r = right_end(t, by_right[stop - 1])
        start = stop
        while start > 0 and right_end(t, by_right[start - 1]) == r:
            start -= 1
        for j in range(start, stop):
            m = by_right[j]
            h = t.head[m]
            x = minima_where(late_node, late, size, left_end(t, m) + 1, r)
            if x >= 0 and -late[x] >= t.leave[h]:
                return False
            x = minima_where(early_node, early, size, left_end(t, m) + 1, r)
            if x >= 0 and early[x] <= t.enter[h]:
                return False
        for j in range(start, stop):
            m = by_right[j]
            h = t.head[m]
            x = left_end(t, m)
            if -t.enter[h] < late[x]:
                late[x] = -t.enter[h]
                minima_update(late_node, late, size, x)
            if t.leave[h] < early[x]:
                early[x] = t.leave[h]
                minima_update(early_node, early, size, x)
        stop = start
    return True


cdef int32_t gap_degree(Tree* t) noexcept nogil:
    """Largest number of breaks in the words of a subtree: O(n log n). Uses areas 0 to 3.

    A subtree of s words breaks s - 1 - j times, where j counts the neighbours p, p + 1 that are both in it: those
    whose lowest common ancestor is.
    """
    cdef int32_t i, p, m, x, y, degree = 0, size = t.n + 1
    cdef int32_t* top = area(t, 0)          # preorder rank of the head, by preorder rank of the word
    cdef int32_t* node = area(t, 1)
    cdef int32_t* joined = area(t, 3)
    for p in range(size):
        joined[p] = 0
        top[t.enter[p]] = t.enter[t.head[p]] if p else -1
    minima_build(node, top, size)
    for p in range(t.n):
        x = t.enter[p]
        y = t.enter[p + 1]
        if x > y:
            x, y = y, x
        # The lowest common ancestor is the head that comes first in preorder among those of the ranks after x up to y.
        x = top[minima_where(node, top, size, x + 1, y + 1)]
        joined[x] += 1
    # By preorder rank, children come after their heads, so one pass from the back sums up subtrees.
    for i in range(size - 1, 0, -1):
        joined[top[i]] += joined[i]
    for m in range(size):
        degree = max(degree, t.leave[m] - t.enter[m] - 1 - joined[t.enter[m]])
    return degree


cdef int32_t edge_degree(Tree* t, bint* well_nested) noexcept nogil:
    """Most connected pieces strictly inside an arc whose top is not dominated by the arc's head (Nivre, 2006).

    A piece is headed from outside the arc, so each one is a crossing arc that points inwards: O(n + crossings). As
    every crossing is seen, `well_nested` is set too, by the condition of is_well_nested. Uses areas 0 to 4.
    """
    cdef int32_t m, degree = 0
    cdef PieceCount pieces
    pieces.tree = t
    pieces.count = area(t, 4)
    pieces.well_nested = True
    for m in range(t.n + 1):
        pieces.count[m] = 0
    for_each_crossing(t, True, _count_pieces, &pieces)
    for m in range(1, t.n + 1):
        degree = max(degree, pieces.count[m])
    well_nested[0] = pieces.well_nested
    return degree


cdef struct PieceCount:
    Tree* tree
    int32_t* count          # [n + 1]  pieces inside the arc into m
    bint well_nested


cdef bint _count_pieces(void* context, int32_t outer, int32_t inner) noexcept nogil:
    cdef PieceCount* pieces = <PieceCount*> context
    cdef Tree* t = pieces.tree
    cdef int32_t g = t.head[outer], h = t.head[inner]
    if t.leave[g] <= t.enter[h] or t.leave[h] <= t.enter[g]:
        pieces.well_nested = False
    _count_piece(pieces, outer, inner)
    _count_piece(pieces, inner, outer)
    return False


cdef inline void _count_piece(PieceCount* pieces, int32_t arc, int32_t other) noexcept nogil:
    """Count the piece that `other`, a crossing arc, brings into `arc`: if it points inwards, past the head's reach."""
    cdef Tree* t = pieces.tree
    if left_end(t, arc) < other < right_end(t, arc) and not dominates(t, t.head[arc], other):
        pieces.count[arc] += 1


cdef bint has_covered_root(Tree* t) noexcept nogil:
    """Whether a child of 0 lies strictly inside an arc between words: O(n). Uses area 0."""
    cdef int32_t p, m, reach = 0
    cdef int32_t* far = area(t, 0)
    for p in range(t.n + 1):
        far[p] = p
    for m in range(1, t.n + 1):
        if t.head[m] != 0:
            far[left_end(t, m)] = max(far[left_end(t, m)], right_end(t, m))
    for p in range(1, t.n + 1):
        if t.head[p] == 0 and reach > p:
            return True
        reach = max(reach, far[p])
    return False
