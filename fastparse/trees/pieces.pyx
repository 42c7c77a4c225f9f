"""Splitting a tree into pieces that can be changed one by one.

A subtree can be split off when its words are an unbroken stretch and the arc into its top is not crossed. The piece
outside keeps the top as a leaf, the piece inside has it as the child of the root. No arc inside covers the top, so
lifting words inside, at most to the top, leaves the arc uncrossed; every class defined by crossing arcs or
interleaving subtrees holds of the tree exactly when it holds of all pieces.

Crossing intervals also unite what lies below an arc with the arc. For them a subtree is split off only when it is the
end of the sentence and its first word hangs on the word before: no arc, lifted or not, can then cover both sides.
"""

from libc.stdint cimport int32_t

import numpy as np

from fastparse.trees.arcs cimport is_projective, mark_crossed
from fastparse.trees.tree cimport Tree, area


cdef class Pieces:
    """The pieces of a tree that contain crossings, from the top down."""

    cdef int read(self, Tree* t, Py_ssize_t i, int32_t* heads) noexcept:
        """Set heads[0..] to piece i as a tree of its own; return its number of words."""
        cdef int32_t j, x, n = 0, top = self.top[i]
        if top == 0:
            self.local[0] = 0
        for j in range(self.start[i], self.start[i + 1]):
            n += 1
            self.local[self.member[j]] = n
        for j in range(self.start[i], self.start[i + 1]):
            x = self.member[j]
            heads[j - self.start[i]] = 0 if x == top else self.local[t.head[x]]
        return n

    cdef int32_t position(self, Py_ssize_t i, int32_t word) noexcept:
        """Position in the tree of a word of piece i; 0 is 0, and never the head of a word in a piece below the root."""
        return 0 if word == 0 else self.member[self.start[i] + word - 1]


cdef Pieces split(Tree* t, Splitting splitting):
    """The pieces with crossings, in O(n log n). Uses areas 0 to 10."""
    cdef Pieces pieces = Pieces()
    cdef int32_t i, m, h, v, size = t.n + 1, count = 0, total = 0
    cdef bint alone
    cdef int32_t* crossed = area(t, 6)
    cdef int32_t* low = area(t, 7)
    cdef int32_t* high = area(t, 8)
    cdef int32_t* piece = area(t, 9)        # top of the piece of each position
    cdef int32_t* number = area(t, 10)      # of the piece with this top, or -1
    pieces.local = np.zeros(size, dtype=np.int32)
    if is_projective(t):
        pieces.count = 0
        return pieces
    mark_crossed(t, True, crossed)
    for v in range(size):
        low[v] = v
        high[v] = v
        number[v] = -1
    for i in range(t.n, 0, -1):
        m = t.order[i]
        h = t.head[m]
        low[h] = min(low[h], low[m])
        high[h] = max(high[h], high[m])
    piece[0] = 0
    for i in range(1, size):
        m = t.order[i]
        alone = splitting != WHOLE and not crossed[m] and high[m] - low[m] + 1 == t.leave[m] - t.enter[m]
        if splitting == BY_INTERVALS:
            alone = alone and high[m] == t.n and low[m] == m and t.head[m] == m - 1
        if alone:
            piece[m] = m
        else:
            piece[m] = piece[t.head[m]]
        if (crossed[m] or splitting == WHOLE) and number[piece[m]] < 0:
            number[piece[m]] = count
            count += 1
    pieces.count = count
    pieces.top = np.zeros(count, dtype=np.int32)
    pieces.start = np.zeros(count + 1, dtype=np.int32)
    for m in range(1, size):
        i = number[piece[m]]
        if i >= 0:
            pieces.start[i + 1] += 1
            pieces.top[i] = piece[m]
        if piece[m] == m and number[piece[t.head[m]]] >= 0:
            pieces.start[number[piece[t.head[m]]] + 1] += 1
    for i in range(count):
        pieces.start[i + 1] += pieces.start[i]
        low[i] = pieces.start[i]
        total = pieces.start[i + 1]
    pieces.member = np.zeros(total, dtype=np.int32)
    for m in range(1, size):
        i = number[piece[m]]
        if i >= 0:
            pieces.member[low[i]] = m
            low[i] += 1
        if piece[m] == m:
            i = number[piece[t.head[m]]]
            if i >= 0:
                pieces.member[low[i]] = m
                low[i] += 1
    return pieces
