"""Arcs of systems whose words may have several heads. Exclusive regime only."""

from fastparse.machine.state cimport Graph, int32_t, uint16_t


cdef inline void add_arc(Graph* g, int32_t head, int32_t dependent, int32_t label) noexcept nogil:
    cdef int32_t k = g.n_arcs
    g.head[k] = head
    g.dependent[k] = dependent
    g.label[k] = <uint16_t>label
    g.next_out[k] = g.first_out[head]
    g.first_out[head] = k
    g.next_in[k] = g.first_in[dependent]
    g.first_in[dependent] = k
    g.n_arcs += 1

cdef inline bint is_newest(const Graph* g, int32_t head, int32_t dependent) noexcept nogil:
    """Whether the newest arc into the dependent comes from this head."""
    return g.first_in[dependent] >= 0 and g.head[g.first_in[dependent]] == head

cdef inline bint has_arc(const Graph* g, int32_t head, int32_t dependent) noexcept nogil:
    """Linear in the heads of the dependent."""
    cdef int32_t k = g.first_in[dependent]
    while k >= 0 and g.head[k] != head:
        k = g.next_in[k]
    return k >= 0

cdef inline bint reaches(const Graph* g, int32_t start, int32_t goal) noexcept nogil:
    """Whether directed arcs lead from start to goal; linear in the arcs."""
    cdef int32_t n_seen = 1, i = 0, k, word
    cdef bint found = start == goal
    g.agenda[0] = start
    g.mark[start] = True
    while i < n_seen and not found:
        k = g.first_out[g.agenda[i]]
        i += 1
        while k >= 0:
            word = g.dependent[k]
            if not g.mark[word]:
                g.mark[word] = True
                g.agenda[n_seen] = word
                n_seen += 1
                found = found or word == goal
            k = g.next_out[k]
    for i in range(n_seen):
        g.mark[g.agenda[i]] = False
    return found
