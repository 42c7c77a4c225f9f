"""Class membership of a loaded Tree by class id."""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef enum:
    UNDECIDED_MEMBER = -1   # k-planar for k > 2: the search gave up
    MEMBER_NO_MEMORY = -2

cdef enum ClassKind:
    ALL_TREES, PROJECTIVE, K_PLANAR, K_CROSSING_INTERVAL, ONE_ENDPOINT_CROSSING, WELL_NESTED, GAP_DEGREE,
    WELL_NESTED_GAP_DEGREE

cdef struct TreeClass:
    ClassKind kind
    int32_t k               # of k-planar, k-crossing-interval, gap degree
    bint root_arcs          # k-planar: whether arcs from 0 count

cdef int in_class(Tree* t, const TreeClass* c) noexcept nogil
cdef TreeClass class_named(object name, bint root_arcs) except *
