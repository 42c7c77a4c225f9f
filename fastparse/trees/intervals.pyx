"""Crossing intervals: maximal runs of crossed arcs chained by shared points.

A pair a < b is valid for an interval when every crossed arc of the interval has an end in {a, b}, and so is every word
of the interval that has a child beyond its own head (Pitler & McDonald, 2015).
"""

from libc.stdint cimport int32_t

from fastparse.trees.arcs cimport mark_crossed
from fastparse.trees.tree cimport Tree, TreeOwner, area, as_heads, left_end, right_end


cdef void mark_reaching(const Tree* t, int32_t* reaching) noexcept nogil:
    """Set reaching[v] for every word with a child on the far side of its own head: O(n).

    The arc to the child is then crossed, by what leads from the head to the root.
    """
    cdef int32_t v, m
    for v in range(t.n + 1):
        reaching[v] = False
    for m in range(1, t.n + 1):
        if _lies_beyond(t, m):
            reaching[t.head[m]] = True


cdef inline bint _lies_beyond(const Tree* t, int32_t m) noexcept nogil:
    """Whether the head of m's head lies between m and its head."""
    cdef int32_t h = t.head[m]
    if h <= 0:
        return False
    return h < t.head[h] < m or m < t.head[h] < h


cdef int32_t _group(Tree* t, const int32_t* crossed, int32_t* left, int32_t* right, int32_t* group) noexcept nogil:
    """Merge crossed arcs that share a point into intervals; group[p] is the interval around p, or -1. Uses area 0."""
    cdef int32_t m, p, count = 0, end = -1
    cdef int32_t* reach = area(t, 0)
    for p in range(t.n + 1):
        reach[p] = -1
    for m in range(1, t.n + 1):
        if crossed[m]:
            reach[left_end(t, m)] = max(reach[left_end(t, m)], right_end(t, m))
    for p in range(t.n + 1):
        if reach[p] >= 0 and p > end:
            left[count] = p
            count += 1
            end = p
        end = max(end, reach[p])
        if p <= end:
            group[p] = count - 1
            right[count - 1] = end
        else:
            group[p] = -1
    return count


cdef void find_intervals(Tree* t, const int32_t* crossed, Intervals* out) noexcept nogil:
    """The crossing intervals with all their valid pairs, given mark_crossed(root_arcs=True): O(n).

    Uses areas 0 and 1.
    """
    cdef int32_t g
    out.count = _group(t, crossed, out.left, out.right, area(t, 1))
    out.covered = True
    for g in range(out.count):
        _find_pairs(t, crossed, out.left[g], out.right[g], out.a + MAX_PAIRS * g, out.b + MAX_PAIRS * g)
        out.n_pairs[g] = _sort_pairs(out.a + MAX_PAIRS * g, out.b + MAX_PAIRS * g)
        if out.n_pairs[g] == 0:
            out.covered = False


cdef void _find_pairs(const Tree* t, const int32_t* crossed, int32_t left, int32_t right, int32_t* a,
                      int32_t* b) noexcept nogil:
    """The valid pairs of an interval, among others with a[i] = -1.

    A valid pair holds an end x of any one arc, and an end y of any arc that does not touch x: at most four candidates.
    """
    cdef int32_t m, i, x, v, seed = max(1, left), other
    while not crossed[seed]:
        seed += 1
    for i in range(2):
        x = right_end(t, seed) if i else left_end(t, seed)
        other = seed + 1
        while not crossed[other] or left_end(t, other) == x or right_end(t, other) == x:
            other += 1
        _set_pair(a, b, 2 * i, x, left_end(t, other))
        _set_pair(a, b, 2 * i + 1, x, right_end(t, other))
    for m in range(seed, right + 1):
        if not crossed[m]:
            continue
        for i in range(MAX_PAIRS):
            x = a[i]
            v = b[i]
            if left_end(t, m) != x and right_end(t, m) != x and left_end(t, m) != v and right_end(t, m) != v:
                a[i] = -1
        if _lies_beyond(t, m):          # only crossed arcs do
            v = t.head[m]
            for i in range(MAX_PAIRS):
                if a[i] != v and b[i] != v:
                    a[i] = -1


cdef inline void _set_pair(int32_t* a, int32_t* b, int32_t i, int32_t x, int32_t y) noexcept nogil:
    a[i] = min(x, y)
    b[i] = max(x, y)


cdef int32_t _sort_pairs(int32_t* a, int32_t* b) noexcept nogil:
    """Drop refused (a = -1) and repeated pairs, sort the rest; return their number."""
    cdef int32_t i, j, x, y, kept = 0
    for i in range(MAX_PAIRS):
        x = a[i]
        y = b[i]
        if x < 0:
            continue
        j = kept
        while j > 0 and (a[j - 1] > x or (a[j - 1] == x and b[j - 1] > y)):
            j -= 1
        if j > 0 and a[j - 1] == x and b[j - 1] == y:
            continue
        kept += 1
        _shift(a, b, j, kept - 1)
        a[j] = x
        b[j] = y
    for i in range(kept, MAX_PAIRS):
        a[i] = -1
        b[i] = -1
    return kept


cdef inline void _shift(int32_t* a, int32_t* b, int32_t start, int32_t stop) noexcept nogil:
    """Move entries start..stop-1 one place up."""
    cdef int32_t k
    for k in range(stop, start, -1):
        a[k] = a[k - 1]
        b[k] = b[k - 1]


cdef int32_t interval_sizes(Tree* t, const int32_t* crossed, int32_t* size) noexcept nogil:
    """Set size[0..count-1] to the fewest vertices that explain each crossing interval; return count.

    O(n). Uses areas 0 to 4.
    The crossed arcs form a forest, so taking heads from the leaves up is a smallest vertex cover; the words that
    reach over their head are in it from the start.
    """
    cdef int32_t i, m, v, g, count
    cdef int32_t* group = area(t, 1)
    cdef int32_t* chosen = area(t, 2)
    count = _group(t, crossed, area(t, 3), area(t, 4), group)
    if count == 0:
        return 0
    for g in range(count):
        size[g] = 0
    mark_reaching(t, chosen)
    for i in range(t.n, 0, -1):
        m = t.order[i]
        if crossed[m] and not chosen[m]:
            chosen[t.head[m]] = 1
    for v in range(t.n + 1):
        if chosen[v]:
            size[group[v]] += 1
    return count


cdef int32_t interval_degree(Tree* t, const int32_t* crossed) noexcept nogil:
    """Smallest k for which the tree is k-crossing-interval, 0 without crossings: O(n). Uses areas 0 to 5."""
    cdef int32_t g, count, degree = 0
    cdef int32_t* size = area(t, 5)
    count = interval_sizes(t, crossed, size)
    for g in range(count):
        degree = max(degree, size[g])
    return degree


def crossing_intervals(heads):
    """The crossing intervals of a tree, from left to right.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.

    Returns:
        [(left, right, [(a, b), ...]), ...]: the ends of each interval and its valid pairs, sorted; no pairs when the
        interval cannot be explained by two vertices, so that the tree lies outside the 2-crossing-interval class.

    Example:
        >>> crossing_intervals([3, 0, 2])
        [(0, 3, [(0, 3), (2, 3)])]
    """
    cdef TreeOwner owner = TreeOwner()
    cdef const int32_t[::1] view = as_heads(heads)
    cdef Tree* t = &owner.tree
    cdef Intervals found
    cdef int32_t* crossed
    owner.load(&view[0] if view.shape[0] else NULL, <int32_t> view.shape[0], None)
    crossed = area(t, 10)
    found.left = area(t, 11)
    found.right = area(t, 12)
    found.n_pairs = area(t, 13)
    found.a = area(t, 14)
    found.b = area(t, 15)
    with nogil:
        mark_crossed(t, True, crossed)
        find_intervals(t, crossed, &found)
    return [
        (
            found.left[i],
            found.right[i],
            [(found.a[MAX_PAIRS * i + j], found.b[MAX_PAIRS * i + j]) for j in range(found.n_pairs[i])],
        )
        for i in range(found.count)
    ]
