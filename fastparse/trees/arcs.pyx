"""Crossing arcs and non-projective arcs.

Two arcs cross when their ends interleave strictly; arcs from the root count. An arc is non-projective when its head
does not dominate every word strictly inside it. A tree has a crossing arc exactly when it has a non-projective one,
but not the same ones: an arc may be crossed by an arc of a word its own head dominates.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from fastparse.trees.anchors cimport find_anchors
from fastparse.trees.tree cimport Tree, TreeOwner, area, as_heads, as_offsets, left_end, right_end


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
    """Whether no two arcs cross: O(n). Uses areas 0 to 2."""
    return _mark_by_arcs_to_the_right(t, 0 if root_arcs else 1, area(t, 2)) == 0


cdef int32_t mark_crossed(Tree* t, bint root_arcs, int32_t* crossed) noexcept nogil:
    """Set crossed[m] for every word whose arc crosses another; return their number: O(n), however many crossings.

    Without `root_arcs` the arcs from 0 count as absent. Uses areas 0 and 1.

    An arc (l, r) is crossed when a word strictly inside has a neighbour right of r, or one left of l. Where no arc is
    crossed from inside to the right, none is crossed at all.
    """
    cdef int32_t first = 0 if root_arcs else 1
    cdef int32_t count = _mark_by_arcs_to_the_right(t, first, crossed)
    return count + _mark_by_arcs_to_the_left(t, first, crossed) if count else 0


cdef int32_t _mark_by_arcs_to_the_right(Tree* t, int32_t first, int32_t* crossed) noexcept nogil:
    """Words with a neighbour right of r are a stack as r grows: it only ever forgets words at the top.

    An arc that ends at r asks for the rightmost of them. `first` is 1 when the arcs from 0 are absent.
    """
    cdef int32_t* farthest = area(t, 0)     # rightmost neighbour, or the word itself
    cdef int32_t* stack = area(t, 1)
    cdef const int32_t* head = t.head
    cdef int32_t w, h, m, top = 0, count = 0
    for w in range(t.n + 1):
        farthest[w] = head[w] if head[w] > w else w
        crossed[w] = False
    for w in range(1, t.n + 1):
        h = head[w]
        if h >= first and farthest[h] < w:
            farthest[h] = w
    for w in range(t.n + 1):
        while top and farthest[stack[top - 1]] <= w:
            top -= 1
        if top:
            if first <= head[w] < w and stack[top - 1] > head[w]:
                crossed[w] = True
                count += 1
            m = t.first_child[w]
            while 0 <= m < w:
                if stack[top - 1] > m:
                    crossed[m] = True
                    count += 1
                m = t.next_child[m]
        if farthest[w] > w:
            stack[top] = w
            top += 1
    return count


cdef int32_t _mark_by_arcs_to_the_left(Tree* t, int32_t first, int32_t* crossed) noexcept nogil:
    """The same from right to left; returns how many arcs are marked anew."""
    cdef int32_t* farthest = area(t, 0)     # leftmost neighbour, or the word itself
    cdef int32_t* stack = area(t, 1)
    cdef const int32_t* head = t.head
    cdef int32_t w, h, m, top = 0, count = 0
    for w in range(t.n + 1):
        farthest[w] = head[w] if first <= head[w] < w else w
    for w in range(1, t.n + 1):
        h = head[w]
        if h >= first and farthest[h] > w:
            farthest[h] = w
    for w in range(t.n, first - 1, -1):
        while top and farthest[stack[top - 1]] >= w:
            top -= 1
        if top:
            if head[w] > w and stack[top - 1] < head[w] and not crossed[w]:
                crossed[w] = True
                count += 1
            m = t.first_child[w]
            while m >= 0:
                if m > w and stack[top - 1] < m and not crossed[m]:
                    crossed[m] = True
                    count += 1
                m = t.next_child[m]
        if farthest[w] < w:
            stack[top] = w
            top += 1
    return count


cdef void list_by_right_end(const Tree* t, bint root_arcs, int32_t* first, int32_t* following) noexcept nogil:
    """Set first[p] and following[m]: lists, ending with -1, of the arcs with right end p, the shortest first. O(n)."""
    cdef int32_t p, h, m
    for p in range(t.n + 1):
        first[p] = -1
    # Left ends ascending, each put in front of what stands in the list of the arc's right end.
    for p in range(0 if root_arcs else 1, t.n + 1):
        h = t.head[p]
        if h > p:
            following[p] = first[h]
            first[h] = p
        m = t.first_child[p]
        while m >= 0:
            if m > p:
                following[m] = first[m]
                first[m] = m
            m = t.next_child[m]


cdef int32_t sort_arcs(Tree* t, bint root_arcs, int32_t* by_left, int32_t* by_right) noexcept nogil:
    """List the arcs, by their dependents, in O(n); return their number.

    `by_left` has them by left end, longest first, `by_right` by right end, shortest first. Without `root_arcs`, those
    between words only. Uses areas 2 and 3.
    """
    cdef int32_t* first = area(t, 2)
    cdef int32_t* following = area(t, 3)
    cdef int32_t p, m, i, count
    list_by_right_end(t, root_arcs, first, following)
    count = _concatenate(t.n, first, following, by_right)
    for p in range(t.n + 1):
        first[p] = -1
    for i in range(count):
        m = by_right[i]
        p = left_end(t, m)
        following[m] = first[p]
        first[p] = m
    return _concatenate(t.n, first, following, by_left)


cdef int32_t _concatenate(int32_t n, const int32_t* first, const int32_t* following, int32_t* arcs) noexcept nogil:
    cdef int32_t p, m, count = 0
    for p in range(n + 1):
        m = first[p]
        while m >= 0:
            arcs[count] = m
            count += 1
            m = following[m]
    return count


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
        while i < count and right_end(t, by_right[i]) == p:
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
        while at < count and left_end(t, by_left[at]) == p:
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
            for m in range(1, n + 1):
                out[start + m - 1] = marked[m]
        else:
            find_anchors(t, marked)
            for m in range(1, n + 1):
                out[start + m - 1] = marked[m] != t.head[m]
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
