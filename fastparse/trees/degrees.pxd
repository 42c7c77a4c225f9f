"""Degrees and nesting of a loaded Tree. No allocation; scratch areas as stated."""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef bint is_one_endpoint_crossing(Tree* t, const int32_t* crossed) noexcept nogil
cdef bint is_well_nested(Tree* t) noexcept nogil
cdef int32_t gap_degree(Tree* t) noexcept nogil
cdef int32_t edge_degree(Tree* t, bint* well_nested) noexcept nogil
cdef bint has_covered_root(Tree* t) noexcept nogil
