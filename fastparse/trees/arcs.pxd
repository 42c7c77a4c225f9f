"""Crossing arcs of a linked Tree; is_projective wants it in order. No allocation; scratch areas as stated."""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef bint is_projective(Tree* t) noexcept nogil
cdef bint is_planar(Tree* t, bint root_arcs) noexcept nogil
cdef int32_t mark_crossed(Tree* t, bint root_arcs, int32_t* crossed) noexcept nogil
cdef void list_by_right_end(const Tree* t, bint root_arcs, int32_t* first, int32_t* following) noexcept nogil
cdef int32_t sort_arcs(Tree* t, bint root_arcs, int32_t* by_left, int32_t* by_right) noexcept nogil

# Called once per crossing with the dependents of the two arcs, the one that opens first before the other; a nonzero
# answer ends the sweep.
ctypedef bint (*Visit)(void* context, int32_t outer, int32_t inner) noexcept nogil
cdef bint for_each_crossing(Tree* t, bint root_arcs, Visit visit, void* context) noexcept nogil
