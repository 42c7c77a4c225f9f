"""Crossing arcs and non-projective arcs.

Two arcs cross when their ends interleave strictly; arcs from the root count. An arc is non-projective when its head
does not dominate every word strictly inside it. A tree has a crossing arc exactly when it has a non-projective one,
but not the same ones: an arc may be crossed by an arc of a word its own head dominates.
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
