"""Crossing arcs and non-projective arcs.

Two arcs cross when their ends interleave strictly; arcs from the root count. An arc is non-projective when its head
does not dominate every word strictly inside it. A tree has a crossing arc exactly when it has a non-projective one,
but not the same ones: an arc may be crossed by an arc of a word its own head dominates.

Crossing intervals are maximal runs of crossed arcs chained by shared points. A pair a < b is valid for an interval when
every crossed arc of the interval has an end in {a, b}, and so is every word of the interval that has a child beyond its
own head (Pitler & McDonald, 2015).
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastparse.trees.tree cimport Tree, TreeOwner, area, as_heads, as_offsets, dominates, left_end, right_end


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


# ── anchors ──

cdef void find_anchors(Tree* t, int32_t* anchor) noexcept nogil:
    """Set anchor[1..n] for a tree in order: O(n), as a block takes in whole blocks. Uses area 0.

    The anchor of a word is its lowest ancestor from which an arc to it is projective in the tree as it is: the head
    exactly where the arc is projective. The positions around a that a dominates without a break, its block, hold the
    words to which an arc from a is projective. Blocks nest, and only ancestors have a word in theirs: of those on one
    side of the word, the nearest whose block holds it is the lowest.
    """
    cdef int32_t* end = area(t, 0)          # first position behind the block on the side looked at
    cdef int32_t a, p
    for a in range(t.n, -1, -1):
        p = a + 1
        while p <= t.n and dominates(t, a, p):
            anchor[p] = a
            p = end[p]
        end[a] = p
    for a in range(1, t.n + 1):
        p = a - 1
        while p > 0 and dominates(t, a, p):
            if t.enter[a] > t.enter[anchor[p]]:
                anchor[p] = a
            p = end[p]
        end[a] = p


# ── crossing intervals ──

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


# ── for Python ──

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
