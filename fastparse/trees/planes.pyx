"""Planes: the smallest number of planar parts the arcs of a tree fall into, and which arc goes where.

Two planes are decided in all but linear time, however many arcs cross. More are a graph colouring problem on the
components that two planes cannot hold: a search, bounded from below by the largest set of arcs that all cross each
other.
Finding the smallest number is hard in general (it is colouring of circle graphs), so the search gives up after a
fixed amount of work; sentences of real treebanks need next to none.
"""

from libc.stdint cimport int32_t

from fastparse.errors import Error

from fastparse.trees.arcs cimport list_by_right_end, sort_arcs
from fastparse.trees.colour_search cimport colour_components
from fastparse.trees.two_colouring cimport Colours, colour_arcs, colour_of, colours_in, component_of
from fastparse.trees.tree cimport Tree, TreeOwner, area, as_heads

cdef enum:
    LARGEST_COMPONENT = 8192    # arcs; the adjacency of a component is a square matrix
    LARGEST_WORK = 400_000_000  # steps of the search, some tenths of a second


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
