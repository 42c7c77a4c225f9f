"""Planes: the smallest number of planar parts the arcs of a tree fall into, and which arc goes where.

Two planes are decided in all but linear time, however many arcs cross, without listing the edges of the crossing graph,
of which there may be quadratically many. From left to right, the open arcs (those begun and not ended) are kept in the
order of their starts. An arc that ends crosses exactly the open arcs that start within it: a run at the upper end of
that order. All of them must differ from it, hence agree with each other, and are merged into one block that later arcs
meet as a whole.

More planes are a graph colouring problem on the components that two planes cannot hold, each coloured alone. Its
largest clique (arcs that all cross each other) is a longest increasing sequence, found in polynomial time, and gives
the lower bound; from there up, each number of planes is tried by branching on the arc with the fewest planes left.
Finding the smallest number is hard in general (it is colouring of circle graphs), so the search gives up after a fixed
amount of work; sentences of real treebanks need next to none.
"""

from fastparse.errors import Error

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from fastparse.trees.crossing cimport for_each_crossing, list_by_right_end, sort_arcs
from fastparse.trees.tree cimport Tree, TreeOwner, area, as_heads, left_end, right_end

cdef enum:
    NONE = -1

cdef enum:
    LARGEST_COMPONENT = 8192    # arcs; the adjacency of a component is a square matrix
    LARGEST_WORK = 400_000_000  # steps of the search, some tenths of a second

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


# ── two colours ──

cdef int32_t component_of(Colours* k, int32_t arc) noexcept nogil:
    """Compresses the path to the representative, so that every arc on it hangs below it directly."""
    cdef int32_t root = arc, parity = 0, above, differs
    while k.parent[root] != root:
        parity ^= k.differs[root]
        root = k.parent[root]
    while k.parent[arc] != root and arc != root:
        above, differs = k.parent[arc], k.differs[arc]
        k.parent[arc] = root
        k.differs[arc] = parity
        parity ^= differs
        arc = above
    return root


cdef bint colour_of(const Colours* k, int32_t arc) noexcept nogil:
    return k.differs[arc] if k.parent[arc] != arc else False


cdef bint relate(Colours* k, int32_t u, int32_t v, bint differ) noexcept nogil:
    """Records that two arcs differ, or agree; False when that contradicts what is known."""
    cdef int32_t root_u = component_of(k, u), root_v = component_of(k, v)
    cdef bint parity = colour_of(k, u) ^ colour_of(k, v) ^ differ
    if root_u == root_v:
        return not parity
    if k.size[root_u] < k.size[root_v]:
        root_u, root_v = root_v, root_u
    k.parent[root_v] = root_u
    k.differs[root_v] = parity
    k.size[root_u] += k.size[root_v]
    return True


cdef int32_t block_of(Colours* k, int32_t arc) noexcept nogil:
    while k.block[arc] != arc:
        k.block[arc] = k.block[k.block[arc]]
        arc = k.block[arc]
    return arc


cdef void close_arc(Colours* k, int32_t arc, int32_t* last) noexcept nogil:
    """Takes an arc out of the open ones."""
    cdef int32_t block = block_of(k, arc), above = k.above[arc]
    if k.lowest[block] == arc:
        k.lowest[block] = above if above >= 0 and block_of(k, above) == block else NONE
    if above >= 0:
        k.below[above] = k.below[arc]
    else:
        last[0] = k.below[arc]
    if k.below[arc] >= 0:
        k.above[k.below[arc]] = above


cdef void open_arc(Colours* k, int32_t arc, int32_t* last) noexcept nogil:
    k.block[arc] = k.lowest[arc] = arc
    k.differs[arc] = False
    k.below[arc] = last[0]
    k.above[arc] = NONE
    if last[0] >= 0:
        k.above[last[0]] = arc
    last[0] = arc


cdef bint meet_open_arcs(Colours* k, int32_t arc, int32_t start, int32_t last, const Tree* t,
                         const int32_t* left) noexcept nogil:
    """Records that an arc which ends crosses the open arcs that start within it; False when that contradicts what is
    known. Starts are those of the tree, or of `left`."""
    cdef int32_t other = last, met = NONE, block
    cdef bint two_suffice = True
    while other >= 0 and (left_end(t, other) if left == NULL else left[other]) > start:
        block = block_of(k, other)
        if met < 0:
            if not relate(k, other, arc, True):
                two_suffice = False
            met = block
        else:
            if not relate(k, other, met, False):
                two_suffice = False
            k.block[met] = block
            met = block
        other = k.below[k.lowest[block]]
    return two_suffice


cdef bint colour_arcs(
    const Tree* t, bint root_arcs, Colours* k, const int32_t* ending, const int32_t* next_ending
) noexcept nogil:
    cdef int32_t last = NONE, w, arc
    cdef bint two_suffice = True
    for w in range(t.n + 1):
        k.parent[w] = w
        k.size[w] = 1
    for w in range(0 if root_arcs else 1, t.n + 1):
        arc = ending[w]
        while arc >= 0:
            close_arc(k, arc, &last)
            arc = next_ending[arc]
        arc = ending[w]
        while arc >= 0:
            if not meet_open_arcs(k, arc, left_end(t, arc), last, t, NULL):
                two_suffice = False
            arc = next_ending[arc]
        if t.head[w] > w:
            open_arc(k, w, &last)
        arc = t.first_child[w]
        while arc >= 0:
            if arc > w:
                open_arc(k, arc, &last)
            arc = t.next_child[arc]
    return two_suffice


cdef bint colour_spans(
    int32_t n, int32_t n_spans, const int32_t* left, Colours* k, const int32_t* ending, const int32_t* next_ending
) noexcept nogil:
    cdef int32_t last = NONE, w, span, following = 1
    cdef bint two_suffice = True
    for span in range(1, n_spans + 1):
        k.parent[span] = span
        k.size[span] = 1
    for w in range(n + 1):
        span = ending[w]
        while span >= 0:
            close_arc(k, span, &last)
            span = next_ending[span]
        span = ending[w]
        while span >= 0:
            if not meet_open_arcs(k, span, left[span], last, NULL, left):
                two_suffice = False
            span = next_ending[span]
        while following <= n_spans and left[following] == w:
            open_arc(k, following, &last)
            following += 1
    return two_suffice


# ── the search ──

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

    Returns the number of planes of the whole, UNDECIDED or COLOURING_NO_MEMORY.
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
        return COLOURING_NO_MEMORY
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
            found = COLOURING_NO_MEMORY
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


# ── planes ──

cdef int32_t colour_two(
    Tree* t, bint root_arcs, int32_t* plane, int32_t* component, int32_t* n_components
) noexcept nogil:
    """Two planes in all but linear time, however many arcs cross. Uses areas 0 to 10.

    Sets plane[m] (0 or 1; 0 for uncrossed arcs) and component[m] (-1 for uncrossed arcs); components are numbered by
    the left end of their first arc, which lies in plane 0. Flipping a whole component gives another colouring, and
    there are no others. Returns the number of planes needed, 1 or 2, or 3 when two are not enough; plane is wrong
    somewhere then.
    """
    cdef int32_t m, i, root, n_arcs
    cdef int32_t* by_left = area(t, 0)
    cdef int32_t* ending = area(t, 1)
    cdef int32_t* next_ending = area(t, 2)
    cdef Colours k = colours_in(t, 4)
    cdef int32_t* number = k.block          # of a component, by its representative, or -1
    cdef int32_t* flipped = k.lowest        # whether the representative does not share the colour of the first arc
    cdef bint two_suffice
    list_by_right_end(t, root_arcs, ending, next_ending)
    two_suffice = colour_arcs(t, root_arcs, &k, ending, next_ending)
    n_arcs = sort_arcs(t, root_arcs, by_left, area(t, 1))
    n_components[0] = 0
    for m in range(t.n + 1):
        plane[m] = 0
        component[m] = -1
        number[m] = -1
    for i in range(n_arcs):
        m = by_left[i]
        root = component_of(&k, m)
        if k.size[root] == 1:
            continue
        if number[root] < 0:
            number[root] = n_components[0]
            flipped[root] = colour_of(&k, m)
            n_components[0] += 1
        component[m] = number[root]
        plane[m] = colour_of(&k, m) ^ flipped[root]
    if n_components[0] == 0:
        return 1
    return 2 if two_suffice else 3


cdef int32_t colour_fewest(Tree* t, bint root_arcs, int32_t* plane, int32_t* component) noexcept nogil:
    """As few planes as there can be: sets plane[m] and returns their number. Uses areas 0 to 12.

    All but linear up to two planes, then O(n + crossings) and a search; UNDECIDED when it gives up.
    """
    cdef int32_t n_components = 0
    cdef int32_t planes = colour_two(t, root_arcs, plane, component, &n_components)
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
    cdef int32_t count
    cdef bint with_root = root_arcs
    owner.load(&view[0] if view.shape[0] else NULL, <int32_t> view.shape[0], None)
    plane = area(t, 14)
    with nogil:
        count = colour_fewest(t, with_root, plane, area(t, 15))
    if count == COLOURING_NO_MEMORY:
        raise MemoryError("no memory for the crossings of a tree")
    if count == UNDECIDED:
        raise Error(
            f"the smallest number of planes of this tree of {t.n} words could not be found: "
            "too many of its arcs cross for the search; two planes are not enough for it"
        )
    return [plane[m] for m in range(1, t.n + 1)]
