"""Crossing arcs and non-projective arcs of a loaded Tree. No allocation.

Scratch areas as stated.
"""

from libc.stdint cimport int32_t

from fastparse.trees.heads cimport Tree

cdef bint is_projective(Tree* t) noexcept nogil
cdef bint is_planar(Tree* t, bint root_arcs) noexcept nogil
cdef int32_t mark_crossed(Tree* t, bint root_arcs, int32_t* crossed) noexcept nogil
cdef int32_t mark_nonprojective(Tree* t, int32_t* nonprojective) noexcept nogil
cdef int32_t sort_arcs(Tree* t, bint root_arcs, int32_t* by_left, int32_t* by_right) noexcept nogil

# Called once per crossing with the dependents of the two arcs, the one that opens first before the other; a nonzero
# answer ends the sweep.
ctypedef bint (*Visit)(void* context, int32_t outer, int32_t inner) noexcept nogil
cdef bint for_each_crossing(Tree* t, bint root_arcs, Visit visit, void* context) noexcept nogil
