"""Colouring the components of the crossing graph that two planes cannot hold."""

from libc.stdint cimport int32_t, int64_t

from fastparse.trees.heads cimport Tree

cdef int32_t colour_components(
    Tree* t, bint root_arcs, int32_t* plane, const int32_t* component, int32_t n_components, int32_t largest, int64_t
    work
) noexcept nogil

# Whether planes 0 and 1 hold component g, or with component = NULL all arcs, without a crossing; `by_left` is that of
# sort_arcs.
cdef bint two_hold(
    Tree* t, const int32_t* by_left, int32_t n_arcs, const int32_t* plane, const int32_t* component, int32_t g
) noexcept nogil
