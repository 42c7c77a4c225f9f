"""Two-colouring the crossing graph without listing its edges, of which there may be quadratically many.

From left to right, the open arcs (those begun and not ended) are kept in the order of their starts. An arc that ends
crosses exactly the open arcs that start within it: a run at the upper end of that order. All of them must differ from
it, hence agree with each other, and are merged into one block that later arcs meet as a whole.
"""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree, left_end

cdef enum:
    NONE = -1


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


cdef bint colour_arcs(
    const Tree* t, bint root_arcs, Colours* k, const int32_t* ending, const int32_t* next_ending
) noexcept nogil:
    cdef int32_t last = NONE, w, arc, start, other, met, block
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
            start = left_end(t, arc)
            other, met = last, NONE
            while other >= 0 and left_end(t, other) > start:
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
            arc = next_ending[arc]
        if t.head[w] > w:
            open_arc(k, w, &last)
        arc = t.first_child[w]
        while arc >= 0:
            if arc > w:
                open_arc(k, arc, &last)
            arc = t.next_child[arc]
    return two_suffice
