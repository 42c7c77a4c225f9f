"""Splitting a tree where no crossing can reach: see pieces.pyx."""

from libc.stdint cimport int32_t

from fastparse.trees.tree cimport Tree

cdef class Pieces:
    cdef readonly Py_ssize_t count
    cdef int32_t[::1] member        # positions of all pieces, piece by piece, ascending within each
    cdef int32_t[::1] start         # [count + 1]  piece i is member[start[i]:start[i + 1]]
    cdef int32_t[::1] top           # [count]  its top word, or 0
    cdef int32_t[::1] local         # [n + 1]  scratch: place of a position in the piece being read
    cdef int read(self, Tree* t, Py_ssize_t i, int32_t* heads) noexcept
    cdef int32_t position(self, Py_ssize_t i, int32_t word) noexcept

cdef enum Splitting:
    WHOLE               # the tree is the only piece
    BY_CROSSINGS        # for classes that speak of crossing arcs or interleaving subtrees
    BY_INTERVALS        # for classes that speak of crossing intervals, which reach over all they cover

cdef Pieces split(Tree* t, Splitting splitting)
