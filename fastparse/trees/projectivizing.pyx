"""Making a tree projective.

All non-projective arcs at once, or the shortest first, one step at a time (Nivre & Nilsson, 2005).
"""

from libc.stdint cimport int32_t, int64_t

import numpy as np

from fastparse.trees.anchors cimport find_anchors
from fastparse.trees.pieces cimport BY_CROSSINGS, Pieces, split
from fastparse.trees.tree cimport (
    TREE_NO_MEMORY, TREE_OK, Tree, TreeOwner, area, as_heads, as_offsets, out_of_memory, tree_load
)

cdef enum:
    LARGEST_PIECE = 2000    # words; larger pieces are lifted all at once, as the other scheme takes a pass per lift


cdef void lift_all_at_once(Tree* t, int32_t* heads) noexcept nogil:
    """Set heads[m - 1] to the anchor of word m, the lowest ancestor from which its arc is projective in `t`.

    The result is projective and differs exactly in the non-projective arcs. O(n). Uses areas 0 and 1.
    """
    cdef int32_t m
    cdef int32_t* anchor = area(t, 1)
    find_anchors(t, anchor)
    for m in range(1, t.n + 1):
        heads[m - 1] = anchor[m]


cdef int lift_shortest_first(Tree* t, int32_t* heads) noexcept nogil:
    """Move the shortest non-projective arc (in a tie the leftmost) to the head of its head, until there is none.

    heads[0..n-1] is the tree on entry and the result; `t` is used up. Returns TREE_OK or TREE_NO_MEMORY. Uses areas 0
    and 1. O(n) per lift.
    """
    cdef int32_t m, length, least, shortest, n = t.n
    cdef int32_t* anchor
    cdef int status
    while True:
        status = tree_load(t, heads, n)
        if status < 0:
            return status
        anchor = area(t, 1)
        find_anchors(t, anchor)
        shortest = least = 0
        for m in range(1, n + 1):
            length = m - t.head[m] if t.head[m] < m else t.head[m] - m
            if anchor[m] != t.head[m] and (shortest == 0 or length < least):
                shortest = m
                least = length
        if shortest == 0:
            return TREE_OK
        heads[shortest - 1] = t.head[t.head[shortest]]


def anchors_treebank(heads, offsets):
    """`projective_treebank` at once, but sentences that are no trees keep their heads."""
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    cdef TreeOwner owner = TreeOwner()
    cdef int64_t s, start
    cdef int status
    result = np.array(view, dtype=np.int32)
    cdef int32_t[::1] out = result
    for s in range(bounds.shape[0] - 1):
        start = bounds[s]
        if bounds[s + 1] == start:
            continue
        status = tree_load(&owner.tree, &view[start], <int32_t> (bounds[s + 1] - start))
        if status == TREE_NO_MEMORY:
            out_of_memory()
        if status == TREE_OK:
            lift_all_at_once(&owner.tree, &out[start])
    return result


def projective_heads(heads, at_once=False):
    """The heads of a tree made projective.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.
        at_once: move each non-projective arc to the lowest ancestor of its head from which it would be projective, and
            no other arc; otherwise lift the shortest non-projective arc one step at a time, the leftmost dependent
            first in a tie, which may move other arcs too (parts of more than 2,000 words that cannot be split are
            moved at once all the same).

    Returns:
        New heads, a list.

    Example:
        >>> projective_heads([3, 0, 2])
        [2, 0, 2]
    """
    cdef const int32_t[::1] view = as_heads(heads)
    return projective_treebank(view, [0, view.shape[0]], at_once).tolist()


def projective_treebank(heads, offsets, at_once=False):
    """`projective_heads` of every sentence of a treebank; sentence s has the words offsets[s]:offsets[s + 1].

    Returns an int32 array.
    """
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    cdef TreeOwner whole = TreeOwner()
    cdef TreeOwner part = TreeOwner()
    cdef Pieces pieces
    result = np.array(view, dtype=np.int32)
    cdef int32_t[::1] out = result
    cdef int32_t[::1] piece = np.zeros(view.shape[0] + 1, dtype=np.int32)
    cdef int64_t s, start
    cdef int32_t i, j, n
    cdef bint all_at_once = at_once
    for s in range(bounds.shape[0] - 1):
        start = bounds[s]
        if bounds[s + 1] == start:
            continue
        whole.load(&view[start], <int32_t> (bounds[s + 1] - start), s if bounds.shape[0] > 2 else None)
        if all_at_once:
            lift_all_at_once(&whole.tree, &out[start])
            continue
        pieces = split(&whole.tree, BY_CROSSINGS)
        for i in range(pieces.count):
            n = pieces.read(&whole.tree, i, &piece[0])
            if tree_load(&part.tree, &piece[0], n) == TREE_NO_MEMORY:
                out_of_memory()
            if n > LARGEST_PIECE:
                lift_all_at_once(&part.tree, &piece[0])
            elif lift_shortest_first(&part.tree, &piece[0]) == TREE_NO_MEMORY:
                out_of_memory()
            for j in range(n):
                if piece[j] != 0 or pieces.top[i] == 0:
                    out[start + pieces.position(i, j + 1) - 1] = pieces.position(i, piece[j])
    return result
