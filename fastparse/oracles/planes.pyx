"""Planes for the arcs of a tree: a colouring of the graph of crossings.

Crossed arcs are coloured component by component, each component breadth first from its leftmost arc, with backtracking.
With two planes each arc but the first of a component has only one colour left, so nothing is ever tried in vain.
"""

from libc.stdlib cimport free, malloc, realloc

from fastparse.machine.state cimport int32_t, int64_t, uint8_t
from fastparse.oracles.oracle cimport Gold, NO_MEMORY, OUTSIDE, READY

cdef enum:
    PATIENCE = 1000             # steps per arc


cdef struct Crossings:
    # Linked lists: edge e of an arc leads to the arc other[e]; arcs are named by their dependents.
    int32_t n_edges
    int32_t capacity
    int32_t* other
    int32_t* next
    int32_t* first              # [n + 1]
    int32_t* order              # [n + 1]  crossed arcs, component by component
    uint8_t* leads              # [n + 1]  1 for the first of a component, by place in order
    int32_t* first_at           # [n + 1]  arcs by left end
    int32_t* next_at            # [n + 1]


cdef int add_edge(Crossings* x, int32_t a, int32_t b) noexcept nogil:
    cdef int32_t capacity
    cdef int32_t* larger
    if x.n_edges == x.capacity:
        capacity = 2 * x.capacity + 64
        larger = <int32_t*>realloc(x.other, capacity * sizeof(int32_t))
        if larger == NULL:
            return NO_MEMORY
        x.other = larger
        larger = <int32_t*>realloc(x.next, capacity * sizeof(int32_t))
        if larger == NULL:
            return NO_MEMORY
        x.next = larger
        x.capacity = capacity
    x.other[x.n_edges] = b
    x.next[x.n_edges] = x.first[a]
    x.first[a] = x.n_edges
    x.n_edges += 1
    return READY


cdef int find_crossings(const Gold* gold, Crossings* x) noexcept nogil:
    """Looks at the arcs that start strictly inside each arc. Time: the sum of the lengths of arcs."""
    cdef int32_t d, e, w, left, right
    for w in range(gold.n + 1):
        x.first[w] = x.first_at[w] = -1
    for d in range(1, gold.n + 1):
        if gold.head[d] >= 0:
            left = min(d, gold.head[d])
            x.next_at[d] = x.first_at[left]
            x.first_at[left] = d
    for d in range(1, gold.n + 1):
        if gold.head[d] < 0:
            continue
        left, right = min(d, gold.head[d]), max(d, gold.head[d])
        for w in range(left + 1, right):
            e = x.first_at[w]
            while e >= 0:
                if max(e, gold.head[e]) > right and (add_edge(x, d, e) != READY or add_edge(x, e, d) != READY):
                    return NO_MEMORY
                e = x.next_at[e]
    return READY


cdef int32_t put_in_order(const Gold* gold, Crossings* x, int32_t* plane) noexcept nogil:
    """Lists the crossed arcs; marks them with plane -1 and the others with plane 0."""
    cdef int32_t d, e, size = 0, done = 0
    for d in range(gold.n + 1):
        plane[d] = 0
    for d in range(1, gold.n + 1):
        if gold.head[d] < 0 or x.first[d] < 0 or plane[d] < 0:
            continue
        x.leads[size] = 1
        x.order[size] = d
        plane[d] = -1
        size += 1
        while done < size:
            e = x.first[x.order[done]]
            done += 1
            while e >= 0:
                if plane[x.other[e]] == 0:
                    plane[x.other[e]] = -1
                    x.leads[size] = 0
                    x.order[size] = x.other[e]
                    size += 1
                e = x.next[e]
    return size


cdef int colour(Crossings* x, int32_t size, int32_t k, int32_t* plane) noexcept nogil:
    cdef int32_t at = 0, d, e, wanted
    cdef int64_t patience = <int64_t>PATIENCE * (size + 1)
    while at < size:
        patience -= 1
        if patience == 0:
            return OUTSIDE
        d = x.order[at]
        wanted = plane[d] + 1
        # The colours of a component can be exchanged, so its first arc has no choice.
        if x.leads[at] and wanted > 0:
            return OUTSIDE
        while wanted < k:
            e = x.first[d]
            while e >= 0 and plane[x.other[e]] != wanted:
                e = x.next[e]
            if e < 0:
                break
            wanted += 1
        if wanted < k:
            plane[d] = wanted
            at += 1
        else:
            plane[d] = -1
            at -= 1
    return READY


cdef int assign_planes(const Gold* gold, int32_t k, int32_t* plane) noexcept nogil:
    cdef Crossings x
    cdef size_t words = <size_t>gold.n + 1
    cdef int32_t* block = <int32_t*>malloc(4 * words * sizeof(int32_t) + words)
    cdef int status = NO_MEMORY
    if block == NULL:
        return NO_MEMORY
    x.n_edges = x.capacity = 0
    x.other = x.next = NULL
    x.first, x.order = block, block + words
    x.first_at, x.next_at = block + 2 * words, block + 3 * words
    x.leads = <uint8_t*>(block + 4 * words)
    if find_crossings(gold, &x) == READY:
        status = colour(&x, put_in_order(gold, &x, plane), k, plane)
    free(block)
    free(x.other)
    free(x.next)
    return status
