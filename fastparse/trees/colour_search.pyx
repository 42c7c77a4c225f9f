"""Colouring components of the crossing graph with three or more planes: exact, within a stated amount of work.

A component is coloured alone. Its largest clique (arcs that all cross each other) is a longest increasing sequence,
found in polynomial time, and gives the lower bound; from there up, each number of planes is tried by branching on the
arc with the fewest planes left.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from fastparse.trees.arcs cimport for_each_crossing, sort_arcs
from fastparse.trees.tree cimport Tree, area, left_end, right_end

cdef enum:
    UNDECIDED = -1
    NO_MEMORY = -2


cdef struct Component:
    int32_t size            # arcs
    int32_t* arc            # [size]  their dependents: by left end, longest first
    uint8_t* crosses        # [size * size]  symmetric
    int32_t* degree         # [size]
    int32_t* colour         # [size]  -1 while uncoloured
    int32_t* used_by        # [size * n_colours]  neighbours of an arc that have a colour
    int32_t* saturation     # [size]  colours its neighbours have
    int32_t* chosen         # [size]  arc coloured at each depth
    int32_t* n_used         # [size + 1]  colours in use before each depth
    int32_t* best           # [size]  for the clique: length of the longest sequence ending here
    int32_t* previous       # [size]
    int32_t* clique         # [n_clique]  a largest set of arcs that all cross each other
    int32_t n_clique
    int64_t work            # steps left


cdef struct Crossings:
    const int32_t* plane
    const int32_t* component
    int32_t* is_bad         # [n + 1]  by component: its two planes hold a crossing
    int32_t* place          # [n + 1]  index of an arc in its component
    int32_t wanted          # component being read
    Component* into


cdef bint _mark_bad(void* context, int32_t e, int32_t f) noexcept nogil:
    cdef Crossings* c = <Crossings*> context
    if c.plane[e] == c.plane[f]:
        c.is_bad[c.component[e]] = 1
    return False


cdef bint _read(void* context, int32_t e, int32_t f) noexcept nogil:
    cdef Crossings* c = <Crossings*> context
    cdef Component* into = c.into
    if c.component[e] == c.wanted:
        into.crosses[<int64_t> c.place[e] * into.size + c.place[f]] = 1
        into.crosses[<int64_t> c.place[f] * into.size + c.place[e]] = 1
        into.degree[c.place[e]] += 1
        into.degree[c.place[f]] += 1
    return False


cdef int32_t colour_components(
    Tree* t, bint root_arcs, int32_t* plane, const int32_t* component, int32_t n_components, int32_t largest, int64_t
    work
) noexcept nogil:
    """Recolour the components that colour_two got wrong.

    Returns the number of planes of the whole, UNDECIDED or NO_MEMORY.
    Components of more than `largest` arcs are not tried; `work` bounds the steps over all components. Uses areas 0 to
    3, 11, 12.
    """
    cdef int32_t i, g, m, n_arcs, planes = 2
    cdef int32_t* by_left = area(t, 0)
    cdef Crossings c
    cdef Component k
    c.plane = plane
    c.component = component
    c.is_bad = area(t, 11)
    c.place = area(t, 12)
    for g in range(n_components):
        c.is_bad[g] = 0
    for m in range(t.n + 1):
        c.place[m] = 0
    n_arcs = sort_arcs(t, root_arcs, by_left, area(t, 1))
    for i in range(n_arcs):
        if component[by_left[i]] >= 0:
            c.place[component[by_left[i]]] += 1
    for g in range(n_components):
        if c.place[g] > largest:
            # It may be two planes' worth all the same, but its crossings may be too many to look at.
            if not _two_hold(t, by_left, n_arcs, plane, component, g):
                return UNDECIDED
    for_each_crossing(t, root_arcs, _mark_bad, &c)
    for g in range(n_components):
        if not c.is_bad[g]:
            continue
        m = _colour_component(t, root_arcs, plane, g, &c, &k, &work)
        if m < 0:
            return m
        planes = max(planes, m)
    return planes


cdef bint _two_hold(
    Tree* t, const int32_t* by_left, int32_t n_arcs, const int32_t* plane, const int32_t* component, int32_t g
) noexcept nogil:
    """Whether no two arcs of component g cross that lie in one of planes 0 and 1: O(arcs). Uses area 2."""
    cdef int32_t i, m, side, top
    cdef int32_t* ends = area(t, 2)         # right ends of the open arcs of the plane
    for side in range(2):
        top = 0
        for i in range(n_arcs):
            m = by_left[i]
            if plane[m] != side or component[m] != g:
                continue
            while top > 0 and ends[top - 1] <= left_end(t, m):
                top -= 1
            if top > 0 and ends[top - 1] < right_end(t, m):
                return False
            ends[top] = right_end(t, m)
            top += 1
    return True


cdef int32_t _colour_component(
    Tree* t, bint root_arcs, int32_t* plane, int32_t g, Crossings* c, Component* k, int64_t* work
) noexcept nogil:
    cdef int32_t i, m, size = 0, n_colours, found = 0
    cdef int32_t* by_left = area(t, 0)
    cdef int32_t n_arcs = sort_arcs(t, root_arcs, by_left, area(t, 1))
    cdef int32_t* block
    for i in range(n_arcs):
        m = by_left[i]
        if c.component[m] == g:
            c.place[m] = size
            size += 1
    k.size = size
    block = <int32_t*> malloc((9 * <int64_t> size + 2) * sizeof(int32_t))
    k.crosses = <uint8_t*> calloc(<int64_t> size * size, 1)
    k.used_by = NULL
    if block == NULL or k.crosses == NULL:
        free(block)
        free(k.crosses)
        return NO_MEMORY
    k.arc = block
    k.degree = block + size
    k.colour = block + 2 * size
    k.saturation = block + 3 * size
    k.chosen = block + 4 * size
    k.best = block + 5 * size
    k.previous = block + 6 * size
    k.clique = block + 7 * size
    k.n_used = block + 8 * size
    for i in range(n_arcs):
        if c.component[by_left[i]] == g:
            k.arc[c.place[by_left[i]]] = by_left[i]
    memset(k.degree, 0, size * sizeof(int32_t))
    c.wanted = g
    c.into = k
    k.work = work[0]
    for_each_crossing(t, root_arcs, _read, c)
    n_colours = _largest_clique(t, k)
    while found == 0 and n_colours > 0:
        k.used_by = <int32_t*> calloc(<int64_t> size * n_colours, sizeof(int32_t))
        if k.used_by == NULL:
            found = NO_MEMORY
            break
        found = _colour_with(k, n_colours)
        free(k.used_by)
        n_colours += 1
    work[0] = k.work
    if found > 0:
        for i in range(size):
            plane[k.arc[i]] = k.colour[i]
    free(block)
    free(k.crosses)
    return found


cdef int32_t _largest_clique(Tree* t, Component* k) noexcept nogil:
    """Size of the largest set of arcs that all cross each other; the set is k.clique. O(size * crossings) at worst.

    Sorted by left end such arcs have increasing right ends too, and all open before the first of them closes.
    """
    cdef int32_t first, i, j, at, largest = 0
    for first in range(k.size):
        if k.degree[first] < largest:
            continue
        for i in range(first, k.size):
            if left_end(t, k.arc[i]) >= right_end(t, k.arc[first]):
                break
            k.best[i] = 0
            if i == first:
                k.best[i] = 1
                k.previous[i] = -1
                continue
            if not k.crosses[<int64_t> first * k.size + i]:
                continue
            for j in range(first, i):
                if k.best[j] >= k.best[i] and k.best[j] > 0 and k.crosses[<int64_t> j * k.size + i]:
                    k.best[i] = k.best[j] + 1
                    k.previous[i] = j
            k.work -= i - first
            if k.best[i] > largest:
                largest = k.best[i]
                at = i
                for j in range(largest - 1, -1, -1):
                    k.clique[j] = at
                    at = k.previous[at]
        if k.work < 0:
            break
    k.n_clique = largest
    return largest


cdef inline void _paint(Component* k, int32_t n_colours, int32_t v, int32_t colour) noexcept nogil:
    cdef int32_t u
    k.colour[v] = colour
    for u in range(k.size):
        if k.crosses[<int64_t> v * k.size + u]:
            if k.used_by[<int64_t> u * n_colours + colour] == 0:
                k.saturation[u] += 1
            k.used_by[<int64_t> u * n_colours + colour] += 1


cdef inline void _wash(Component* k, int32_t n_colours, int32_t v) noexcept nogil:
    cdef int32_t u, colour = k.colour[v]
    k.colour[v] = -1
    for u in range(k.size):
        if k.crosses[<int64_t> v * k.size + u]:
            k.used_by[<int64_t> u * n_colours + colour] -= 1
            if k.used_by[<int64_t> u * n_colours + colour] == 0:
                k.saturation[u] -= 1


cdef int32_t _colour_with(Component* k, int32_t n_colours) noexcept nogil:
    """Colour k.colour with n_colours, returned when they are enough; 0 when not, UNDECIDED when the work is used up.

    The clique is coloured first. Trying at most one colour that is new keeps equal colourings from being tried twice.
    """
    cdef int32_t i, v, colour, depth, n_clique = k.n_clique
    for i in range(k.size):
        k.colour[i] = -1
        k.saturation[i] = 0
    for i in range(n_clique):
        _paint(k, n_colours, k.clique[i], i)
    depth = n_clique
    k.n_used[depth] = n_clique
    if depth == k.size:
        return n_colours
    k.chosen[depth] = _most_constrained(k)
    while True:
        k.work -= 2 * k.size
        if k.work < 0:
            return UNDECIDED
        v = k.chosen[depth]
        colour = k.colour[v] + 1
        if k.colour[v] >= 0:
            _wash(k, n_colours, v)
        while colour <= k.n_used[depth] and colour < n_colours and k.used_by[<int64_t> v * n_colours + colour]:
            colour += 1
        if colour > k.n_used[depth] or colour >= n_colours:
            depth -= 1
            if depth < n_clique:
                return 0
            continue
        _paint(k, n_colours, v, colour)
        depth += 1
        if depth == k.size:
            return n_colours
        k.n_used[depth] = max(k.n_used[depth - 1], colour + 1)
        k.chosen[depth] = _most_constrained(k)


cdef int32_t _most_constrained(const Component* k) noexcept nogil:
    """The uncoloured arc whose neighbours have most colours; of several, that with most neighbours, then the first."""
    cdef int32_t v, best = -1
    for v in range(k.size):
        if k.colour[v] < 0 and (
            best < 0
            or k.saturation[v] > k.saturation[best]
            or (k.saturation[v] == k.saturation[best] and k.degree[v] > k.degree[best])
        ):
            best = v
    return best
