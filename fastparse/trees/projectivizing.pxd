"""The two schemes that make a tree projective, on a loaded Tree."""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef void lift_all_at_once(Tree* t, int32_t* heads) noexcept nogil
cdef int lift_shortest_first(Tree* t, int32_t* heads) noexcept nogil
