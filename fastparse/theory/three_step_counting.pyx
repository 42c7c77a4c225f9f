"""How many moves the passes of the three-step system make, counted without making them."""

from libc.stdint cimport int32_t, int64_t

from fastparse.trees.anchors cimport find_anchors
from fastparse.trees.arcs cimport is_planar
from fastparse.trees.tree cimport (
    Tree, TREE_NO_MEMORY, TREE_OK, area, out_of_memory, tree_free, tree_init, tree_link, tree_order,
    tree_scratch)

cdef enum:
    # Columns of the counts: SHIFT, PUT, DIST of each pass.
    N_COLUMNS = 6
    # Scratch areas; find_anchors uses 0.
    ANCHOR = 1
    WAITING = 2


cdef int32_t count_pass(Tree* t, const int32_t* anchor, bint left) noexcept nogil:
    """Non-projective arcs of one direction, or -1 if two of them cross (all labels count as one)."""
    cdef int32_t step, w, waiting = 0, found = 0
    cdef int32_t* stack = area(t, WAITING)
    for step in range(1, t.n + 1):
        w = step if left else t.n + 1 - step
        # Dependents must be the last ones that wait.
        while waiting > 0 and t.head[stack[waiting - 1]] == w:
            waiting -= 1
            found += 1
        if anchor[w] != t.head[w] and (t.head[w] > w) == left:
            stack[waiting] = w
            waiting += 1
    return found if waiting == 0 else -1


cdef void count_tree(Tree* t, int32_t* counts) noexcept nogil:
    cdef int32_t* anchor = t.head
    cdef int32_t side, found = 0
    cdef bint projective = is_planar(t, True)
    if not projective:
        tree_order(t)
        anchor = area(t, ANCHOR)
        find_anchors(t, anchor)
    for side in range(2):
        if not projective:
            found = count_pass(t, anchor, side == 0)
        counts[3 * side] = t.n - found if found >= 0 else -1
        counts[3 * side + 1] = counts[3 * side + 2] = found


def count_moves(const int32_t[::1] heads, const int64_t[::1] offsets, int32_t[:, ::1] counts):
    """Fills in a row of zeros per tree: the moves of each pass, -1 throughout one that cannot be made."""
    cdef Py_ssize_t i
    cdef int32_t n, k
    cdef int status = TREE_OK
    cdef Tree t
    tree_init(&t)
    with nogil:
        for i in range(counts.shape[0]):
            n = <int32_t>(offsets[i + 1] - offsets[i])
            if n == 0:
                continue
            status = tree_link(&t, &heads[offsets[i]], n, True)
            if status == TREE_OK:
                status = tree_scratch(&t)
            if status == TREE_OK:
                count_tree(&t, &counts[i, 0])
            elif status == TREE_NO_MEMORY:
                break
            else:
                for k in range(N_COLUMNS):
                    counts[i, k] = -1
        tree_free(&t)
    if status == TREE_NO_MEMORY:
        out_of_memory()
