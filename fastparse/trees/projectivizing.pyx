"""Making a tree projective.

All non-projective arcs at once, or the shortest first, one step at a time (Nivre & Nilsson, 2005).
"""

from libc.stdint cimport int32_t, int64_t

import numpy as np

from fastparse.trees.crossing cimport mark_nonprojective
from fastparse.trees.heads cimport (
    TREE_NO_MEMORY, Tree, TreeOwner, area, as_heads, as_offsets, out_of_memory, tree_load
)
from fastparse.trees.minima cimport minima_below, minima_build
from fastparse.trees.pieces cimport BY_CROSSINGS, Pieces, split

cdef enum:
    LARGEST_PIECE = 2000    # words; larger pieces are lifted all at once, as the other scheme takes a pass per lift


cdef void lift_all_at_once(Tree* t, int32_t* heads) noexcept nogil:
    """Set heads[m - 1] to the lowest ancestor of word m from which its arc is projective in `t`.

    The result is projective and differs exactly in the non-projective arcs. O(log n) per ancestor climbed. Uses areas
    0 to 4.
    """
    cdef int32_t m, a, l, r, size = t.n + 1
    cdef int32_t* late = area(t, 0)
    cdef int32_t* early_node = area(t, 1)
    cdef int32_t* late_node = area(t, 3)
    for m in range(size):
        late[m] = -t.enter[m]
    minima_build(early_node, t.enter, size)
    minima_build(late_node, late, size)
    for m in range(1, size):
        a = t.head[m]
        while a != 0:
            l = min(a, m) + 1
            r = max(a, m)
            if not minima_below(early_node, t.enter, size, l, r, t.enter[a]) and not minima_below(
                late_node, late, size, l, r, 1 - t.leave[a]
            ):
                break
            a = t.head[a]
        heads[m - 1] = a


cdef int lift_shortest_first(Tree* t, int32_t* heads) noexcept nogil:
    """Move the shortest non-projective arc (in a tie the leftmost) to the head of its head, until there is none.

    heads[0..n-1] is the tree on entry and the result; `t` is used up. Returns TREE_OK or TREE_NO_MEMORY. Uses areas 0
    to 5.
    """
    cdef int32_t m, shortest, n = t.n
    cdef int32_t* nonprojective = area(t, 5)
    cdef int status
    while True:
        status = tree_load(t, heads, n)
        if status < 0 or mark_nonprojective(t, nonprojective) == 0:
            return status
        shortest = 0
        for m in range(1, n + 1):
            if nonprojective[m] and (
                shortest == 0 or t.right[m] - t.left[m] < t.right[shortest] - t.left[shortest]
            ):
                shortest = m
        heads[shortest - 1] = t.head[t.head[shortest]]


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
        pieces = split(&whole.tree, BY_CROSSINGS)
        for i in range(pieces.count):
            n = pieces.read(&whole.tree, i, &piece[0])
            if tree_load(&part.tree, &piece[0], n) == TREE_NO_MEMORY:
                out_of_memory()
            if all_at_once or n > LARGEST_PIECE:
                lift_all_at_once(&part.tree, &piece[0])
            elif lift_shortest_first(&part.tree, &piece[0]) == TREE_NO_MEMORY:
                out_of_memory()
            for j in range(n):
                if piece[j] != 0 or pieces.top[i] == 0:
                    out[start + pieces.position(i, j + 1) - 1] = pieces.position(i, piece[j])
    return result
