"""Planes for the arcs of a tree, for systems with a stack per plane."""

from fastparse.machine.state cimport int32_t
from fastparse.oracles.oracle cimport Gold

# Fills plane[1..n] with 0..k-1 (by dependent; uncrossed arcs lie in plane 0) so that arcs in one plane do not cross.
# READY, OUTSIDE when there is no such assignment (or none was found within a budget linear in n), or NO_MEMORY.
cdef int assign_planes(const Gold* gold, int32_t k, int32_t* plane) noexcept nogil
