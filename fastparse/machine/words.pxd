"""Words: a persistent vector word -> cell, for systems in which a word can be reached from several places.

In the exclusive regime cell w is the cell of word w and nothing is stored. In the shared regime a state holds the root
of a 16-way tree whose leaves are cell ids; an edit copies the path to one leaf (at most 7 nodes for 2**28 words).
"""

from fastparse.machine.operations cimport NEWEST_IN, NEWEST_OUT
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Branch, Graph, NONE, State, int32_t


cdef inline int32_t cell_of(const Arena* a, const State* c, int32_t word) noexcept nogil:
    """The cell of a word."""
    cdef int32_t node = c.words
    cdef int32_t level
    if a.exclusive:
        return word
    for level in range(a.depth - 1, -1, -1):
        if node < 0:
            return word
        node = a.branches[node].child[(word >> (4 * level)) & 15]
    return node if node >= 0 else word


cdef inline int32_t own_word(Arena* a, State* c, int32_t word) noexcept nogil:
    """Makes the cell of a word editable and returns it."""
    cdef int32_t node = c.words
    cdef int32_t level, copy, slot, parent = NONE, parent_slot = 0, cell
    if a.exclusive:
        return word
    cell = cell_of(a, c, word)
    a.cells[a.n_cells] = a.cells[cell]
    cell = a.n_cells
    a.n_cells += 1
    for level in range(a.depth - 1, -1, -1):
        copy = a.n_branches
        a.n_branches += 1
        if node >= 0:
            a.branches[copy] = a.branches[node]
        else:
            for slot in range(16):
                a.branches[copy].child[slot] = NONE
        if parent < 0:
            c.words = copy
        else:
            a.branches[parent].child[parent_slot] = copy
        parent = copy
        parent_slot = (word >> (4 * level)) & 15
        node = a.branches[copy].child[parent_slot]
    a.branches[parent].child[parent_slot] = cell
    return cell


cdef inline void push_word(Arena* a, State* c, int32_t k, int32_t word) noexcept nogil:
    """Pushes a word on stack k. A word is on a stack at most once, so the exclusive regime gives it a fixed link
    there."""
    cdef int32_t link
    if a.exclusive:
        link = c.plane[k] * (a.n + 1) + word
    else:
        link = a.n_links
        a.n_links += 1
    a.links[link].word = word
    a.links[link].below = c.stack[k]
    c.stack[k] = link


cdef inline int32_t top_word(const Arena* a, const State* c, int32_t k) noexcept nogil:
    return a.links[c.stack[k]].word if c.stack[k] >= 0 else NONE


cdef inline void pop_word(const Arena* a, State* c, int32_t k) noexcept nogil:
    c.stack[k] = a.links[c.stack[k]].below


# ── connected components: trees of words, joined by size, never compressed ──

cdef enum:
    # Cell.own of systems that ask for components
    PARENT                      # the word above in the tree; the word itself at the top
    SIZE                        # words of the tree, at its top

cdef inline void start_components(const Spec* spec, Arena* a, State* c) noexcept nogil:
    """The Spec.start of these systems: every word is a component."""
    cdef int32_t w
    for w in range(a.n + 1):
        a.cells[w].own[PARENT] = w
        a.cells[w].own[SIZE] = 1

cdef inline int32_t component(const Arena* a, const State* c, int32_t word) noexcept nogil:
    """The word that stands for the component of a word."""
    cdef int32_t parent = a.cells[cell_of(a, c, word)].own[PARENT]
    while parent != word:
        word = parent
        parent = a.cells[cell_of(a, c, word)].own[PARENT]
    return word


cdef inline void join(Arena* a, State* c, int32_t x, int32_t y) noexcept nogil:
    """Makes one component of those of two words; edits two cells at most."""
    cdef int32_t larger = component(a, c, x), smaller = component(a, c, y)
    cdef int32_t cell, size
    if larger == smaller:
        return
    if a.cells[cell_of(a, c, larger)].own[SIZE] < a.cells[cell_of(a, c, smaller)].own[SIZE]:
        larger, smaller = smaller, larger
    cell = own_word(a, c, smaller)
    a.cells[cell].own[PARENT] = larger
    size = a.cells[cell].own[SIZE]
    cell = own_word(a, c, larger)
    a.cells[cell].own[SIZE] += size


# ── graphs: searches along their arcs ──

cdef inline bint leads(const Arena* a, const State* c, int32_t start, int32_t goal, bint both_ways) noexcept nogil:
    """Whether arcs lead from one word to another, followed from head to dependent or in both directions; linear in the
    arcs."""
    cdef Graph* g = a.graph
    cdef int32_t n_seen = 1, i = 0, k, word, cell, way
    cdef bint found = start == goal
    g.agenda[0] = start
    g.mark[start] = True
    while i < n_seen and not found:
        cell = cell_of(a, c, g.agenda[i])
        i += 1
        for way in range(1 + both_ways):
            k = a.cells[cell].own[NEWEST_IN if way else NEWEST_OUT]
            while k >= 0:
                word = g.arcs[k].head if way else g.arcs[k].dependent
                if not g.mark[word]:
                    g.mark[word] = True
                    g.agenda[n_seen] = word
                    n_seen += 1
                    found = found or word == goal
                k = g.arcs[k].next_in if way else g.arcs[k].next_out
    for i in range(n_seen):
        g.mark[g.agenda[i]] = False
    return found

cdef inline bint reaches(const Arena* a, const State* c, int32_t start, int32_t goal) noexcept nogil:
    """Whether directed arcs lead from one word to another."""
    return leads(a, c, start, goal, False)
