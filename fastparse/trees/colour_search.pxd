"""Colouring the components of the crossing graph that two planes cannot hold."""

from libc.stdint cimport int32_t, int64_t

from fastparse.trees.tree cimport Tree

cdef int32_t colour_components(
    Tree* t, bint root_arcs, int32_t* plane, const int32_t* component, int32_t n_components, int32_t largest, int64_t
    work
) noexcept nogil
