"""Planes: the smallest number of planar parts the arcs of a tree fall into, and which arc goes where.

Two planes are decided in O(n log n), however many arcs cross. More are a graph colouring problem on the components
that two planes cannot hold: a search, bounded from below by the largest set of arcs that all cross each other.
Finding the smallest number is hard in general (it is colouring of circle graphs), so the search gives up after a
fixed amount of work; sentences of real treebanks need next to none.
"""

from libc.stdint cimport int32_t

from fastparse.errors import Error

from fastparse.trees.colour_search cimport colour_components, two_hold
from fastparse.trees.crossing cimport mark_crossed, sort_arcs
from fastparse.trees.heads cimport Tree, TreeOwner, area, as_heads
from fastparse.trees.minima cimport minima_build, minima_update, minima_where

cdef enum:
    LARGEST_COMPONENT = 8192    # arcs; the adjacency of a component is a square matrix
    LARGEST_WORK = 400_000_000  # steps of the search, some tenths of a second


cdef int32_t colour_two(
    Tree* t, bint root_arcs, const int32_t* crossed, int32_t* plane, int32_t* component, int32_t* n_components
) noexcept nogil:
    """Two planes, given mark_crossed with the same `root_arcs`: O(n log n). Uses areas 0 to 10.

    Sets plane[m] (0 or 1; 0 for uncrossed arcs) and component[m] (-1 for uncrossed arcs); components are numbered by
    the left end of their first arc, which lies in plane 0. Flipping a whole component gives another colouring, and
    there are no others. Returns the number of planes needed, 1 or 2, or 3 when two are not enough; plane is wrong
    somewhere then.
    """
    cdef int32_t p, i, e, f, l, r, head, tail, n_arcs, size = t.n + 1
    cdef Offers o
    cdef int32_t* queue = area(t, 10)
    o.size = size
    o.none = size
    o.left = t.left
    o.right = t.right
    o.by_left = area(t, 0)
    o.by_right = area(t, 1)
    o.at_left = area(t, 2)
    o.at_right = area(t, 3)
    o.opens = area(t, 4)
    o.closes = area(t, 5)
    o.opens_node = area(t, 6)
    o.closes_node = area(t, 8)
    n_components[0] = 0
    for p in range(size):
        component[p] = -1
        plane[p] = 0
    n_arcs = sort_arcs(t, root_arcs, o.by_left, o.by_right)
    n_arcs = _keep_crossed(o.by_left, o.by_right, crossed, n_arcs)
    if n_arcs == 0:
        return 1
    o.n_arcs = n_arcs
    for p in range(size):
        o.at_left[p] = n_arcs
        o.at_right[p] = -1
        o.opens[p] = o.none
        o.closes[p] = o.none
    for i in range(n_arcs):
        o.at_right[t.right[o.by_right[i]]] = i
    for i in range(n_arcs - 1, -1, -1):
        o.at_left[t.left[o.by_left[i]]] = i
    for p in range(size):
        _offer_left(&o, component, p)
        _offer_right(&o, component, p)
    minima_build(o.opens_node, o.opens, size)
    minima_build(o.closes_node, o.closes, size)
    for i in range(n_arcs):
        if component[o.by_left[i]] >= 0:
            continue
        component[o.by_left[i]] = n_components[0]
        queue[0] = o.by_left[i]
        head = 0
        tail = 1
        while head < tail:
            e = queue[head]
            head += 1
            l = t.left[e]
            r = t.right[e]
            while True:
                f = _next_crossing(&o, component, l, r)
                if f < 0:
                    break
                component[f] = n_components[0]
                plane[f] = 1 - plane[e]
                queue[tail] = f
                tail += 1
        n_components[0] += 1
    return 2 if two_hold(t, o.by_left, n_arcs, plane, NULL, 0) else 3


cdef struct Offers:
    # The arcs no search has reached, offered by their ends: of those that open (close) at p, the longest is the best
    # to cross an arc around p.
    int32_t size, none, n_arcs
    const int32_t* left
    const int32_t* right
    int32_t* by_left        # [n_arcs]  arcs by left end, longest first
    int32_t* by_right       # [n_arcs]  arcs by right end, shortest first
    int32_t* at_left        # [size]  index in by_left of the arc offered at p
    int32_t* at_right       # [size]  index in by_right of the arc offered at p
    int32_t* opens          # [size]  minus the right end of the arc offered at p, or none
    int32_t* closes         # [size]  the left end of the arc offered at p, or none
    int32_t* opens_node     # [2 * size]
    int32_t* closes_node    # [2 * size]


cdef void _offer_left(Offers* o, const int32_t* component, int32_t p) noexcept nogil:
    cdef int32_t i = o.at_left[p]
    while i < o.n_arcs and o.left[o.by_left[i]] == p and component[o.by_left[i]] >= 0:
        i += 1
    o.at_left[p] = i
    o.opens[p] = -o.right[o.by_left[i]] if i < o.n_arcs and o.left[o.by_left[i]] == p else o.none


cdef void _offer_right(Offers* o, const int32_t* component, int32_t p) noexcept nogil:
    cdef int32_t i = o.at_right[p]
    while i >= 0 and o.right[o.by_right[i]] == p and component[o.by_right[i]] >= 0:
        i -= 1
    o.at_right[p] = i
    o.closes[p] = o.left[o.by_right[i]] if i >= 0 and o.right[o.by_right[i]] == p else o.none


cdef int32_t _next_crossing(Offers* o, const int32_t* component, int32_t l, int32_t r) noexcept nogil:
    """An arc that crosses (l, r) and is in no component yet, or -1.

    An arc taken at one end is withdrawn at the other when it turns up there.
    """
    cdef int32_t p, f
    while True:
        p = minima_where(o.opens_node, o.opens, o.size, l + 1, r)
        if p < 0 or o.opens[p] >= -r:
            break
        f = o.by_left[o.at_left[p]]
        if component[f] < 0:
            return f
        _offer_left(o, component, p)
        minima_update(o.opens_node, o.opens, o.size, p)
    while True:
        p = minima_where(o.closes_node, o.closes, o.size, l + 1, r)
        if p < 0 or o.closes[p] >= l:
            return -1
        f = o.by_right[o.at_right[p]]
        if component[f] < 0:
            return f
        _offer_right(o, component, p)
        minima_update(o.closes_node, o.closes, o.size, p)


cdef int32_t _keep_crossed(int32_t* by_left, int32_t* by_right, const int32_t* crossed, int32_t n_arcs) noexcept nogil:
    cdef int32_t i, n_left = 0, n_right = 0
    for i in range(n_arcs):
        if crossed[by_left[i]]:
            by_left[n_left] = by_left[i]
            n_left += 1
        if crossed[by_right[i]]:
            by_right[n_right] = by_right[i]
            n_right += 1
    return n_left


cdef int32_t colour_fewest(
    Tree* t, bint root_arcs, const int32_t* crossed, int32_t* plane, int32_t* component
) noexcept nogil:
    """As few planes as there can be, given mark_crossed: sets plane[m] and returns their number. Uses areas 0 to 12.

    O(n log n) up to two planes, then O(n + crossings) and a search; UNDECIDED when it gives up.
    """
    cdef int32_t n_components = 0
    cdef int32_t planes = colour_two(t, root_arcs, crossed, plane, component, &n_components)
    if planes <= 2:
        return planes
    return colour_components(t, root_arcs, plane, component, n_components, LARGEST_COMPONENT, LARGEST_WORK)


def planes(heads, root_arcs=False):
    """A plane for the arc into each word, so that no two arcs of a plane cross: as few planes as there can be.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.
        root_arcs: count the arcs from 0 too; otherwise they are in plane 0, whatever they cross.

    Returns:
        A list of planes, numbered from 0.

    Raises:
        Error: not a tree, or the smallest number of planes is beyond the search (it is above 2).

    Example:
        >>> planes([3, 0, 2], root_arcs=True)
        [1, 0, 0]
    """
    cdef TreeOwner owner = TreeOwner()
    cdef const int32_t[::1] view = as_heads(heads)
    cdef Tree* t = &owner.tree
    cdef int32_t* plane
    cdef int32_t* crossed
    cdef int32_t count
    cdef bint with_root = root_arcs
    owner.load(&view[0] if view.shape[0] else NULL, <int32_t> view.shape[0], None)
    crossed = area(t, 13)
    plane = area(t, 14)
    with nogil:
        mark_crossed(t, with_root, crossed)
        count = colour_fewest(t, with_root, crossed, plane, area(t, 15))
    if count == COLOURING_NO_MEMORY:
        raise MemoryError("no memory for the crossings of a tree")
    if count == UNDECIDED:
        raise Error(
            f"the smallest number of planes of this tree of {t.n} words could not be found: "
            "too many of its arcs cross for the search; two planes are not enough for it"
        )
    return [plane[m] for m in range(1, t.n + 1)]
