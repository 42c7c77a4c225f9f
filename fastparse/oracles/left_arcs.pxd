"""For each word the arcs of a tree that end there and start on its left, the nearest start first.

An arc of a tree is the word that depends.
"""

from fastparse.machine.state cimport NONE, int32_t
from fastparse.oracles.oracle cimport Gold


cdef inline int32_t left_end(const Gold* gold, int32_t arc) noexcept nogil:
    return gold.head[arc] if gold.head[arc] < arc else arc

cdef inline void list_left_arcs(const Gold* gold, int32_t* first, int32_t* next_arc) noexcept nogil:
    """Fills first[word] and next_arc[arc]: lists that end with NONE."""
    cdef int32_t w, h, child
    for w in range(gold.n + 1):
        first[w] = NONE
    # Starts ascending, each put in front of what stands in the list of the arc's right end.
    for w in range(gold.n + 1):
        h = gold.head[w]
        if h > w:
            next_arc[w] = first[h]
            first[h] = w
        child = gold.first_child[w]
        while child >= 0:
            if child > w:
                next_arc[child] = first[child]
                first[child] = child
            child = gold.next_child[child]
