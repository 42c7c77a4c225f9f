"""Planes: colourings of the graph whose vertices are arcs and whose edges are crossings. Scratch areas as stated."""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef enum:
    UNDECIDED = -1          # the search for the smallest number of planes gave up
    COLOURING_NO_MEMORY = -2

cdef int32_t colour_two(
    Tree* t, bint root_arcs, int32_t* plane, int32_t* component, int32_t* n_components
) noexcept nogil
cdef int32_t colour_fewest(Tree* t, bint root_arcs, int32_t* plane, int32_t* component) noexcept nogil
