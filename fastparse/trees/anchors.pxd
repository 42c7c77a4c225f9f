"""The anchors of words: where their arcs would be projective."""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef void find_anchors(Tree* t, int32_t* anchor) noexcept nogil
