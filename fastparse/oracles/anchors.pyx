"""The anchors of non-projective arcs, and how many moves the three-step system makes.

The anchor of a word whose arc is not projective is its lowest ancestor from which an arc to it would be projective in
the tree itself.
"""

from operator import index

import numpy as np

from fastparse.errors import Error

from libc.stdlib cimport free, malloc

from fastparse.machine.state cimport int32_t, int64_t

cdef enum:
    # Rows of the scratch array
    FIRST = 0                   # number of a word in preorder
    LAST = 1                    # largest number below a word
    CHILD = 2
    SIBLING = 3
    ANCHOR = 4
    WAITING = 5
    N_ROWS = 6


cdef int lay_out(int32_t n, const int32_t* heads, int32_t** rows) noexcept nogil:
    """Preorder numbers of words 0..n; heads[w - 1] is the head of w. -1 if this is no tree."""
    cdef int32_t w, h, number = 0
    cdef int32_t* first = rows[FIRST]
    cdef int32_t* last = rows[LAST]
    cdef int32_t* child = rows[CHILD]
    cdef int32_t* sibling = rows[SIBLING]
    for w in range(n + 1):
        child[w] = -1
        first[w] = -1
    for w in range(n, 0, -1):
        h = heads[w - 1]
        if h < 0 or h > n or h == w:
            return -1
        sibling[w] = child[h]
        child[h] = w
    w = 0
    while w >= 0:
        if first[w] < 0:
            first[w] = number
            number += 1
        if child[w] >= 0:
            h = child[w]
            child[w] = sibling[h]
            w = h
            continue
        last[w] = number - 1
        w = heads[w - 1] if w > 0 else -1
    return 0 if number == n + 1 else -1


cdef bint is_projective(int32_t head, int32_t word, int32_t** rows) noexcept nogil:
    cdef int32_t w
    for w in range(min(head, word) + 1, max(head, word)):
        if rows[FIRST][w] < rows[FIRST][head] or rows[FIRST][w] > rows[LAST][head]:
            return False
    return True


cdef void find_anchors(int32_t n, const int32_t* heads, int32_t** rows) noexcept nogil:
    cdef int32_t w, head
    for w in range(1, n + 1):
        head = heads[w - 1]
        while not is_projective(head, w, rows):
            head = heads[head - 1]
        rows[ANCHOR][w] = head


cdef int32_t count_pass(int32_t n, const int32_t* heads, int32_t** rows, bint left) noexcept nogil:
    """Non-projective arcs of one direction, or -1 if two of them cross (all labels count as one)."""
    cdef int32_t step, w, waiting = 0, found = 0
    cdef int32_t* stack = rows[WAITING]
    for step in range(1, n + 1):
        w = step if left else n + 1 - step
        # Dependents must be the last ones that wait.
        while waiting > 0 and heads[stack[waiting - 1] - 1] == w:
            waiting -= 1
            found += 1
        if rows[ANCHOR][w] != heads[w - 1] and (heads[w - 1] > w) == left:
            stack[waiting] = w
            waiting += 1
    return found if waiting == 0 else -1


cdef int32_t** open_rows(int32_t n) except NULL:
    cdef int32_t** rows = <int32_t**>malloc(N_ROWS * sizeof(int32_t*))
    cdef int32_t* block = <int32_t*>malloc(<size_t>N_ROWS * (n + 1) * sizeof(int32_t))
    cdef int k
    if rows == NULL or block == NULL:
        free(rows)
        free(block)
        raise MemoryError(f"no memory for a tree of {n} words")
    for k in range(N_ROWS):
        rows[k] = block + <size_t>k * (n + 1)
    return rows


cdef void close_rows(int32_t** rows) noexcept:
    free(rows[0])
    free(rows)


def anchors(heads) -> list[int]:
    """The projective tree in which non-projective arcs hang from anchors.

    Args:
        heads: a head per word, 0 for the root.
    Raises:
        Error: if this is not a tree.
    Example:
        >>> anchors([3, 0, 2, 1])
        [2, 0, 2, 2]
    """
    cdef int32_t n = <int32_t>len(heads), w
    cdef int32_t[::1] view = np.asarray([*map(index, heads), 0], dtype=np.int32)
    cdef int32_t** rows = open_rows(n)
    try:
        if lay_out(n, &view[0], rows) < 0:
            raise Error(f"not a tree: {list(heads)!r}")
        find_anchors(n, &view[0], rows)
        return [rows[ANCHOR][w] for w in range(1, n + 1)]
    finally:
        close_rows(rows)


def anchors_treebank(const int32_t[::1] heads, const int64_t[::1] offsets):
    """The same for many trees at once, as an array; sentences that are no trees keep their heads."""
    cdef Py_ssize_t i
    cdef int32_t n, w, longest = 0
    found = np.array(heads, dtype=np.int32)
    cdef int32_t[::1] view = found
    for i in range(offsets.shape[0] - 1):
        longest = max(longest, <int32_t>(offsets[i + 1] - offsets[i]))
    cdef int32_t** rows = open_rows(longest)
    for i in range(offsets.shape[0] - 1):
        n = <int32_t>(offsets[i + 1] - offsets[i])
        if n == 0 or lay_out(n, &heads[offsets[i]], rows) < 0:
            continue
        find_anchors(n, &heads[offsets[i]], rows)
        for w in range(1, n + 1):
            view[offsets[i] + w - 1] = rows[ANCHOR][w]
    close_rows(rows)
    return found


def count_all(const int32_t[::1] heads, const int64_t[::1] offsets, int32_t[:, ::1] counts, int32_t longest):
    """Fills in a row per tree: the moves of each step, -1 throughout a step that cannot be made."""
    cdef Py_ssize_t i
    cdef int32_t n, w, k, found
    cdef const int32_t* tree
    cdef int32_t** rows = open_rows(longest)
    for i in range(counts.shape[0]):
        n = <int32_t>(offsets[i + 1] - offsets[i])
        if n == 0:
            continue
        tree = &heads[offsets[i]]
        if lay_out(n, tree, rows) < 0:
            for k in range(9):
                counts[i, k] = -1
            continue
        find_anchors(n, tree, rows)
        counts[i, 0] = n
        for w in range(1, n + 1):
            counts[i, 1 if rows[ANCHOR][w] > w else 2] += 1
        for k in range(2):
            found = count_pass(n, tree, rows, k == 0)
            counts[i, 3 + 3 * k] = n - found if found >= 0 else -1
            counts[i, 4 + 3 * k] = counts[i, 5 + 3 * k] = found
    close_rows(rows)
