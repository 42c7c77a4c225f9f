"""Words: a persistent vector word -> cell, for systems in which a word can be reached from several places.

In the exclusive regime cell w is the cell of word w and nothing is stored. In the shared regime a state holds the root
of a 16-way tree whose leaves are cell ids; an edit copies the path to one leaf (at most 7 nodes for 2**28 words).
"""

from fastparse.machine.state cimport Arena, Branch, NONE, State, int32_t


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


# ── connected components: trees of Cell.base, joined by size, never compressed ──

cdef inline int32_t component(const Arena* a, const State* c, int32_t word) noexcept nogil:
    """The word that stands for the component of a word."""
    cdef int32_t parent = a.cells[cell_of(a, c, word)].base
    while parent != word:
        word = parent
        parent = a.cells[cell_of(a, c, word)].base
    return word


cdef inline void join(Arena* a, State* c, int32_t x, int32_t y) noexcept nogil:
    """Makes one component of those of two words; edits two cells at most."""
    cdef int32_t larger = component(a, c, x), smaller = component(a, c, y)
    cdef int32_t cell, weight
    if larger == smaller:
        return
    if a.cells[cell_of(a, c, larger)].weight < a.cells[cell_of(a, c, smaller)].weight:
        larger, smaller = smaller, larger
    cell = own_word(a, c, smaller)
    a.cells[cell].base = larger
    weight = a.cells[cell].weight
    cell = own_word(a, c, larger)
    a.cells[cell].weight += weight
