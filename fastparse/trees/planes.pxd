"""Planes: colourings of the graph whose vertices are arcs and whose edges are crossings. Scratch areas as stated.

An arc is the word that depends.
"""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree, area

cdef enum:
    UNDECIDED = -1          # the search for the smallest number of planes gave up
    COLOURING_NO_MEMORY = -2

cdef int32_t colour_two(
    Tree* t, bint root_arcs, int32_t* plane, int32_t* component, int32_t* n_components
) noexcept nogil
cdef int32_t colour_fewest(Tree* t, bint root_arcs, int32_t* plane, int32_t* component) noexcept nogil


# ── two colours such that crossing arcs differ ──

cdef enum:
    COLOUR_AREAS = 7            # scratch areas of Colours

cdef struct Colours:
    int32_t* parent             # [n + 1]  connected arcs: union-find
    int32_t* size               # [n + 1]
    int32_t* differs            # [n + 1]  whether the colour differs from that of the parent
    # Of no use when the arcs are coloured:
    int32_t* block              # [n + 1]  neighbours among the open arcs that must be of one colour: union-find
    int32_t* lowest             # [n + 1]  of a block's representative: its open arc that starts furthest left
    int32_t* below              # [n + 1]  open arcs as a list, by their starts
    int32_t* above              # [n + 1]

# False when two colours are not enough; arcs are connected by crossings all the same. Needs the lists of
# list_by_right_end with the same `root_arcs`; a word without an arc is connected with nothing. Linear but for
# union-find, however many arcs cross.
cdef bint colour_arcs(
    const Tree* t, bint root_arcs, Colours* k, const int32_t* ending, const int32_t* next_ending
) noexcept nogil
# The same for spans over words 0..n, numbered from 1 on by their left ends, of which no two are equal.
cdef bint colour_spans(
    int32_t n, int32_t n_spans, const int32_t* left, Colours* k, const int32_t* ending, const int32_t* next_ending
) noexcept nogil
# The representative of the arcs connected with this one by crossings.
cdef int32_t component_of(Colours* k, int32_t arc) noexcept nogil
# Whether the arc's colour differs from that of its representative; valid after component_of(arc).
cdef bint colour_of(const Colours* k, int32_t arc) noexcept nogil

cdef inline Colours colours_in(Tree* t, int32_t first) noexcept nogil:
    """Room for the colours in the tree's scratch areas from `first` on."""
    return Colours(
        area(t, first), area(t, first + 1), area(t, first + 2), area(t, first + 3), area(t, first + 4),
        area(t, first + 5), area(t, first + 6)
    )
