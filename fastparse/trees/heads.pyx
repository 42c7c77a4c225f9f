"""Dependency trees as C arrays: loading, validity, dominance, projective order."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

import numpy as np

from fastparse.errors import Error


cdef void tree_init(Tree* t) noexcept nogil:
    t.n = 0
    t.capacity = -1
    t.culprit = -1
    t.block = NULL


cdef void tree_free(Tree* t) noexcept nogil:
    free(t.block)
    tree_init(t)


cdef int _reserve(Tree* t, int32_t n) noexcept nogil:
    cdef int32_t capacity = n
    cdef int64_t width
    if n <= t.capacity:
        return TREE_OK
    if t.capacity > n // 2:
        capacity = n + n // 2
    width = <int64_t> capacity + 2
    free(t.block)
    t.block = <int32_t*> malloc((8 + SCRATCH_AREAS) * width * sizeof(int32_t))
    if t.block == NULL:
        t.capacity = -1
        return TREE_NO_MEMORY
    t.capacity = capacity
    t.head = t.block
    t.first = t.block + width
    t.child = t.block + 2 * width
    t.order = t.block + 3 * width
    t.enter = t.block + 4 * width
    t.leave = t.block + 5 * width
    t.left = t.block + 6 * width
    t.right = t.block + 7 * width
    t.scratch = t.block + 8 * width
    return TREE_OK


cdef int tree_load(Tree* t, const int32_t* heads, int32_t n) noexcept nogil:
    """Fill `t` from heads[0..n-1], in O(n); TREE_OK or what is wrong with them."""
    cdef int32_t m, h, v, i, j, size, at, found
    cdef int32_t* cursor
    if _reserve(t, n) != TREE_OK:
        return TREE_NO_MEMORY
    t.n = n
    cursor = area(t, 0)
    for v in range(n + 2):
        t.first[v] = 0
    t.head[0] = -1
    for m in range(1, n + 1):
        h = heads[m - 1]
        if h < 0 or h > n:
            t.culprit = m
            return TREE_BAD_HEAD
        t.head[m] = h
        t.first[h + 1] += 1
        if h < m:
            t.left[m] = h
            t.right[m] = m
        else:
            t.left[m] = m
            t.right[m] = h
    for v in range(n + 1):
        t.first[v + 1] += t.first[v]
        cursor[v] = t.first[v]
    for m in range(1, n + 1):
        h = t.head[m]
        t.child[cursor[h]] = m
        cursor[h] += 1
    t.order[0] = 0
    found = 1
    i = 0
    while i < found:
        v = t.order[i]
        i += 1
        for j in range(t.first[v], t.first[v + 1]):
            t.order[found] = t.child[j]
            found += 1
    if found <= n:
        _find_cycle(t, found)
        return TREE_CYCLE
    for v in range(n + 1):
        t.leave[v] = 1                      # subtree sizes, until `enter` is known
    for i in range(n, 0, -1):
        m = t.order[i]
        t.leave[t.head[m]] += t.leave[m]
    t.enter[0] = 0
    for i in range(n + 1):
        v = t.order[i]
        at = t.enter[v] + 1
        for j in range(t.first[v], t.first[v + 1]):
            m = t.child[j]
            size = t.leave[m]
            t.enter[m] = at
            t.leave[m] = at + size
            at += size
    return TREE_OK


cdef void _find_cycle(Tree* t, int32_t found) noexcept nogil:
    """Set the culprit: climbing n heads from a word that does not reach the root ends on the cycle."""
    cdef int32_t i, v, _
    cdef int32_t* reached = area(t, 0)
    for v in range(t.n + 1):
        reached[v] = 0
    for i in range(found):
        reached[t.order[i]] = 1
    v = 1
    while reached[v]:
        v += 1
    for _ in range(t.n):
        v = t.head[v]
    t.culprit = v


cdef void projective_order(Tree* t, int32_t* rank) noexcept nogil:
    """Set rank[0..n] to the in-order of the tree: left dependents, the word, right dependents.

    The word at rank k of a projective tree is k itself. Uses scratch areas 0 and 1.
    """
    cdef int32_t i, j, v, m, at
    cdef int32_t* start = area(t, 0)        # first rank of the subtree of v
    start[0] = 0
    for i in range(t.n + 1):
        v = t.order[i]
        at = start[v]
        for j in range(t.first[v], t.first[v + 1]):
            m = t.child[j]
            if m > v:
                break
            start[m] = at
            at += t.leave[m] - t.enter[m]
        else:
            j = t.first[v + 1]
        rank[v] = at
        at += 1
        while j < t.first[v + 1]:
            m = t.child[j]
            start[m] = at
            at += t.leave[m] - t.enter[m]
            j += 1


cdef class TreeOwner:
    """Owns one Tree and turns what tree_load refuses into errors."""

    def __cinit__(self):
        tree_init(&self.tree)

    def __dealloc__(self):
        tree_free(&self.tree)

    cdef int load(self, const int32_t* heads, int32_t n, object sentence) except -1:
        """Load a tree; `sentence` (its index in a treebank, or None) is for the message."""
        cdef int status
        with nogil:
            status = tree_load(&self.tree, heads, n)
        if status == TREE_OK:
            return 0
        if status == TREE_NO_MEMORY:
            raise MemoryError(f"no memory for a tree of {n} words")
        where = "" if sentence is None else f"sentence {sentence} (counted from 0): "
        word = self.tree.culprit
        if status == TREE_BAD_HEAD:
            raise Error(
                f"{where}not a tree: the head of word {word} is {heads[word - 1]}; "
                f"expected 0 (the root) or a word from 1 to {n}"
            )
        raise Error(
            f"{where}not a tree: word {word} is its own ancestor; "
            "expected heads that lead from every word to the root 0"
        )


cdef int out_of_memory() except -1:
    raise MemoryError("no memory for the analysis of a tree")


cdef const int32_t[::1] as_heads(object heads):
    """`heads` as a contiguous int32 array, without a copy where it is one already."""
    array = np.asarray(heads)
    if array.dtype == np.int32 and array.ndim == 1 and array.flags.c_contiguous:
        return array
    if array.ndim != 1:
        raise Error(f"heads must be a flat list or array of integers, not of {array.ndim} dimensions")
    if array.size == 0:
        return np.zeros(0, dtype=np.int32)
    if array.dtype.kind not in "iu":
        raise Error(f"heads must be integers, not {array.dtype.name}: {heads!r:.80}")
    if array.max() > 2**31 - 1 or array.min() < -(2**31):
        raise Error(f"heads must be word numbers from 0 to {array.size}, not {array.min()} to {array.max()}")
    return array.astype(np.int32)


cdef const int64_t[::1] as_offsets(object offsets, Py_ssize_t n_words):
    """`offsets` as checked int64: ascending, from 0 to `n_words`. None means one sentence."""
    array = np.asarray([0, n_words] if offsets is None else offsets)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise Error("offsets must be a flat array of integers: one more than there are sentences, the first of them 0")
    array = np.ascontiguousarray(array, dtype=np.int64)
    if array[0] != 0 or array[array.size - 1] != n_words or (np.diff(array) < 0).any():
        raise Error(
            f"offsets must ascend from 0 to the number of heads, {n_words}; found {array[0]} to {array[array.size - 1]}"
        )
    return array


def check_tree(heads):
    """Raise an Error unless `heads` is a tree.

    Heads[i - 1] is the head of word i, 0 the root, and every word leads to it.
    """
    cdef const int32_t[::1] view = as_heads(heads)
    TreeOwner().load(&view[0] if view.shape[0] else NULL, <int32_t> view.shape[0], None)
