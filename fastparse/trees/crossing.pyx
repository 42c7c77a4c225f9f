"""Crossing arcs and crossing intervals.

Two arcs cross when their ends interleave strictly; arcs from the root count. An arc is non-projective when its head
does not dominate every word strictly inside it. A tree has a crossing arc exactly when it has a non-projective one,
but not the same ones: an arc may be crossed by an arc of a word its own head dominates.

A crossing interval is a maximal run of crossed arcs chained by shared points. A pair a < b is valid for it when every
crossed arc of the interval has an end in {a, b}, and so is every word of the interval that has a child beyond its own
head (Pitler & McDonald, 2015).
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastparse.trees.heads cimport Tree, TreeOwner, area, as_heads, as_offsets
from fastparse.trees.minima cimport minima_below, minima_build

import numpy as np


cdef bint is_projective(Tree* t) noexcept nogil:
    """Whether every subtree covers an unbroken stretch of words: O(n). Uses areas 0 and 1."""
    cdef int32_t i, m, h, v
    cdef int32_t* low = area(t, 0)
    cdef int32_t* high = area(t, 1)
    for v in range(t.n + 1):
        low[v] = v
        high[v] = v
    for i in range(t.n, 0, -1):
        m = t.order[i]
        if high[m] - low[m] + 1 != t.leave[m] - t.enter[m]:
            return False
        h = t.head[m]
        low[h] = min(low[h], low[m])
        high[h] = max(high[h], high[m])
    return True


cdef bint is_planar(Tree* t, bint root_arcs) noexcept nogil:
    """Whether no two arcs cross: O(n), arcs open and close like brackets. Uses areas 0 to 2."""
    cdef int32_t p, m, h, top = 0, _
    cdef int32_t* open_right = area(t, 0)   # right ends of the open arcs, outermost first
    cdef int32_t* closing = area(t, 1)      # number of arcs whose right end is p
    for p in range(t.n + 1):
        closing[p] = 0
    for m in range(1, t.n + 1):
        if root_arcs or t.head[m] != 0:
            closing[t.right[m]] += 1
    for p in range(t.n + 1):
        for _ in range(closing[p]):
            top -= 1
            if open_right[top] != p:
                return False
        # Arcs that open at p, longest first: right children from the far end, the head of p among them.
        h = t.head[p]
        if p == 0 and not root_arcs:
            continue
        for j in range(t.first[p + 1] - 1, t.first[p] - 1, -1):
            m = t.child[j]
            if m < p:
                break
            if h > m:
                open_right[top] = h
                top += 1
                h = -1
            open_right[top] = m
            top += 1
        if h > p:
            open_right[top] = h
            top += 1
    return True


cdef int32_t mark_crossed(Tree* t, bint root_arcs, int32_t* crossed) noexcept nogil:
    """Set crossed[m] for every word whose arc crosses another; return their number: O(n log n), however many crossings.

    Without `root_arcs` the arcs from 0 count as absent. Uses areas 0 to 5.
    """
    cdef int32_t m, l, r, count = 0
    cdef int32_t size = t.n + 1
    cdef int32_t* low = area(t, 0)          # leftmost neighbour of p, or p
    cdef int32_t* high = area(t, 1)         # minus the rightmost neighbour of p, or minus p
    cdef int32_t* low_node = area(t, 2)
    cdef int32_t* high_node = area(t, 4)
    for m in range(size):
        low[m] = m
        high[m] = -m
        crossed[m] = 0
    for m in range(1, size):
        if root_arcs or t.head[m] != 0:
            l = t.left[m]
            r = t.right[m]
            low[r] = min(low[r], l)
            high[l] = min(high[l], -r)
    minima_build(low_node, low, size)
    minima_build(high_node, high, size)
    for m in range(1, size):
        if not root_arcs and t.head[m] == 0:
            continue
        l = t.left[m]
        r = t.right[m]
        if r - l > 1 and (
            minima_below(low_node, low, size, l + 1, r, l) or minima_below(high_node, high, size, l + 1, r, -r)
        ):
            crossed[m] = 1
            count += 1
    return count


cdef int32_t mark_nonprojective(Tree* t, int32_t* nonprojective) noexcept nogil:
    """Set nonprojective[m] for every word whose arc is; return their number: O(n log n). Uses areas 0 to 4."""
    cdef int32_t m, h, l, r, count = 0
    cdef int32_t size = t.n + 1
    cdef int32_t* late = area(t, 0)         # minus the preorder rank, so that its minimum is the last rank
    cdef int32_t* early_node = area(t, 1)
    cdef int32_t* late_node = area(t, 3)
    for m in range(size):
        late[m] = -t.enter[m]
        nonprojective[m] = 0
    minima_build(early_node, t.enter, size)
    minima_build(late_node, late, size)
    for m in range(1, size):
        h = t.head[m]
        l = t.left[m]
        r = t.right[m]
        if r - l > 1 and (
            minima_below(early_node, t.enter, size, l + 1, r, t.enter[h])
            or minima_below(late_node, late, size, l + 1, r, 1 - t.leave[h])
        ):
            nonprojective[m] = 1
            count += 1
    return count


cdef bint reaches_over_its_head(const Tree* t, int32_t v) noexcept nogil:
    """Whether v has a child on the far side of its own head.

    The arc to the child is then crossed, by what leads from the head to the root.
    """
    cdef int32_t h = t.head[v]
    if h < 0 or t.first[v] == t.first[v + 1]:
        return False
    return t.child[t.first[v + 1] - 1] > h if h > v else t.child[t.first[v]] < h


cdef int32_t sort_arcs(Tree* t, bint root_arcs, int32_t* by_left, int32_t* by_right) noexcept nogil:
    """List the arcs, by their dependents, in O(n); return their number.

    `by_left` has them by left end, longest first, `by_right` by right end, shortest first. Without `root_arcs`, those
    between words only.
    """
    cdef int32_t p, j, m, h, n_left = 0, n_right = 0
    for p in range(t.n + 1):
        h = t.head[p]
        if h == 0 and not root_arcs:
            h = -1
        for j in range(t.first[p + 1] - 1, t.first[p] - 1, -1):
            m = t.child[j]
            if m > p:
                if p == 0 and not root_arcs:
                    continue
                if h > m:
                    by_left[n_left] = p
                    n_left += 1
                    h = -1
                by_left[n_left] = m
                n_left += 1
            else:
                if h > p or h > m:
                    if h > p:
                        by_left[n_left] = p
                        n_left += 1
                    else:
                        by_right[n_right] = p
                        n_right += 1
                    h = -1
                by_right[n_right] = m
                n_right += 1
        if h > p:
            by_left[n_left] = p
            n_left += 1
        elif h >= 0:
            by_right[n_right] = p
            n_right += 1
    return n_left


cdef bint for_each_crossing(Tree* t, bint root_arcs, Visit visit, void* context) noexcept nogil:
    """Visit every pair of crossing arcs once; return whether a visit ended the sweep.

    O(n + crossings). Uses areas 0 to 3.
    An arc that closes is crossed by exactly the arcs that opened after it and are still open: the tail of a linked
    list in opening order.
    """
    cdef int32_t p, m, e, count, i = 0, at = 0, last = 0
    cdef int32_t* by_left = area(t, 0)
    cdef int32_t* by_right = area(t, 1)
    cdef int32_t* before = area(t, 2)
    cdef int32_t* after = area(t, 3)
    count = sort_arcs(t, root_arcs, by_left, by_right)
    after[0] = -1                           # 0 is no arc: the sentinel before the first open one
    for p in range(t.n + 1):
        while i < count and t.right[by_right[i]] == p:
            m = by_right[i]
            i += 1
            e = last
            while e != m:
                if visit(context, m, e):
                    return True
                e = before[e]
            if after[m] >= 0:
                before[after[m]] = before[m]
            else:
                last = before[m]
            after[before[m]] = after[m]
        while at < count and t.left[by_left[at]] == p:
            m = by_left[at]
            at += 1
            before[m] = last
            after[last] = m
            after[m] = -1
            last = m
    return False


cdef int32_t _group(Tree* t, const int32_t* crossed, int32_t* left, int32_t* right, int32_t* group) noexcept nogil:
    """Merge crossed arcs that share a point into intervals; group[p] is the interval around p, or -1. Uses area 0."""
    cdef int32_t m, p, count = 0, end = -1
    cdef int32_t* reach = area(t, 0)
    for p in range(t.n + 1):
        reach[p] = -1
    for m in range(1, t.n + 1):
        if crossed[m]:
            reach[t.left[m]] = max(reach[t.left[m]], t.right[m])
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
    """The crossing intervals with all their valid pairs, given mark_crossed(root_arcs=True): O(n). Uses areas 0 to 3.

    A valid pair holds an end x of any one arc, and an end y of any arc that does not touch x: at most four candidates.
    """
    cdef int32_t m, i, g, x, v, base
    cdef int32_t* group = area(t, 1)
    cdef int32_t* seed = area(t, 2)         # an arc of each interval, by its dependent
    cdef int32_t* other = area(t, 3)        # [2g], [2g + 1]: an arc not touching the left, the right end of the seed
    out.count = _group(t, crossed, out.left, out.right, group)
    out.covered = True
    if out.count == 0:
        return
    for g in range(out.count):
        seed[g] = -1
        other[2 * g] = -1
        other[2 * g + 1] = -1
    for m in range(1, t.n + 1):
        if crossed[m] and seed[group[m]] < 0:
            seed[group[m]] = m
    for m in range(1, t.n + 1):
        if crossed[m]:
            g = group[m]
            for i in range(2):
                x = t.right[seed[g]] if i else t.left[seed[g]]
                if other[2 * g + i] < 0 and t.left[m] != x and t.right[m] != x:
                    other[2 * g + i] = m
    for g in range(out.count):
        base = MAX_PAIRS * g
        for i in range(2):
            x = t.right[seed[g]] if i else t.left[seed[g]]
            m = other[2 * g + i]
            _set_pair(out, base + 2 * i, x, t.left[m])
            _set_pair(out, base + 2 * i + 1, x, t.right[m])
    for m in range(1, t.n + 1):
        if crossed[m]:
            base = MAX_PAIRS * group[m]
            for i in range(base, base + MAX_PAIRS):
                x = out.a[i]
                v = out.b[i]
                if t.left[m] != x and t.right[m] != x and t.left[m] != v and t.right[m] != v:
                    out.a[i] = -1
    for v in range(1, t.n + 1):
        if group[v] >= 0 and reaches_over_its_head(t, v):
            base = MAX_PAIRS * group[v]
            for i in range(base, base + MAX_PAIRS):
                if out.a[i] != v and out.b[i] != v:
                    out.a[i] = -1
    for g in range(out.count):
        out.n_pairs[g] = _sort_pairs(out.a + MAX_PAIRS * g, out.b + MAX_PAIRS * g)
        if out.n_pairs[g] == 0:
            out.covered = False


cdef inline void _set_pair(Intervals* out, int32_t i, int32_t x, int32_t y) noexcept nogil:
    out.a[i] = min(x, y)
    out.b[i] = max(x, y)


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
    for v in range(t.n + 1):
        chosen[v] = reaches_over_its_head(t, v)
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


cdef object _flags(object heads, object offsets, bint crossed, bint root_arcs):
    """A truth value per word of a treebank (offsets=None: of one sentence)."""
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    cdef TreeOwner owner = TreeOwner()
    cdef Tree* t = &owner.tree
    cdef int32_t* marked
    cdef int32_t m, n
    cdef int64_t s, start
    flags = np.zeros(view.shape[0], dtype=np.bool_)
    cdef uint8_t[::1] out = flags.view(np.uint8)
    for s in range(bounds.shape[0] - 1):
        start = bounds[s]
        n = <int32_t> (bounds[s + 1] - start)
        if n == 0:
            continue
        owner.load(&view[start], n, None if offsets is None else s)
        if is_projective(t):
            continue
        marked = area(t, 6)
        if crossed:
            mark_crossed(t, root_arcs, marked)
        else:
            mark_nonprojective(t, marked)
        for m in range(1, n + 1):
            out[start + m - 1] = marked[m]
    return flags


def crossed_arcs(heads, root_arcs=True):
    """Whether the arc into each word crosses another arc.

    Without `root_arcs`, arcs from 0 neither cross nor are crossed.

    Example:
        >>> crossed_arcs([3, 0, 2]).tolist()
        [True, True, False]
    """
    return _flags(heads, None, True, root_arcs)


def nonprojective_arcs(heads):
    """Whether the arc into each word is non-projective: some word strictly inside it is not dominated by its head.

    Example:
        >>> nonprojective_arcs([3, 0, 2]).tolist()
        [True, False, False]
    """
    return _flags(heads, None, False, True)


def crossed_arcs_treebank(heads, offsets, root_arcs=True):
    """`crossed_arcs` of every sentence of a treebank; sentence s has the words offsets[s]:offsets[s + 1]."""
    return _flags(heads, offsets, True, root_arcs)


def nonprojective_arcs_treebank(heads, offsets):
    """`nonprojective_arcs` of every sentence of a treebank; sentence s has the words offsets[s]:offsets[s + 1]."""
    return _flags(heads, offsets, False, True)
