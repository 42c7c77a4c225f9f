"""Elementary operations on states, the vocabulary in which systems are written.

Each works in both regimes: in the exclusive one it edits in place, in the shared one it copies what it changes.
"""

from libc.string cimport memcpy
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport (
    Arena, Cell, Drawn, Graph, Link, NO_LABEL, NONE, State, int32_t, uint8_t, uint16_t, uint32_t, uint64_t)


cdef inline uint64_t mix(uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t x = (a ^ b) * <uint64_t>0x9E3779B97F4A7C15ULL
    x ^= x >> 29
    x *= <uint64_t>0xBF58476D1CE4E5B9ULL
    return x ^ (x >> 32)


# ── reading ──

cdef inline int32_t front(const Arena* a, const State* c) noexcept nogil:
    """The cell of the first word of the buffer."""
    if c.returned >= 0:
        return c.returned
    return c.next if c.next <= a.n else NONE

cdef inline int32_t buffer_word(const Arena* a, const State* c) noexcept nogil:
    """The first word of the buffer."""
    if c.returned >= 0:
        return a.cells[c.returned].word
    return c.next if c.next <= a.n else NONE

cdef inline int32_t word_of(const Arena* a, int32_t cell) noexcept nogil:
    return a.cells[cell].word if cell >= 0 else NONE

cdef inline int32_t below(const Arena* a, int32_t cell) noexcept nogil:
    return a.cells[cell].below if cell >= 0 else NONE

cdef inline bint has_head(const Arena* a, int32_t cell) noexcept nogil:
    return a.cells[cell].head >= 0


# ── owning ──

cdef inline int32_t own(Arena* a, int32_t cell) noexcept nogil:
    """The cell itself where it may be edited, else a copy that may be."""
    cdef int32_t copy
    if a.exclusive:
        return cell
    copy = a.n_cells
    a.n_cells += 1
    a.cells[copy] = a.cells[cell]
    return copy

cdef inline int32_t own_top(Arena* a, State* c) noexcept nogil:
    """Makes the stack top editable and returns it."""
    c.stack[0] = own(a, c.stack[0])
    return c.stack[0]

cdef inline int32_t own_front(Arena* a, State* c) noexcept nogil:
    """Makes the buffer front editable and returns it."""
    cdef int32_t cell
    if c.returned >= 0:
        c.returned = own(a, c.returned)
        return c.returned
    cell = own(a, c.next)
    a.cells[cell].below = NONE
    c.returned = cell
    c.next += 1
    return cell

cdef inline int32_t own_register(Arena* a, State* c, int32_t k) noexcept nogil:
    c.reg[k] = own(a, c.reg[k])
    return c.reg[k]


# ── moving words ──

cdef inline int32_t drop_front(const Arena* a, State* c) noexcept nogil:
    """Removes the first word of the buffer for good; only the exclusive regime may edit the returned cell."""
    cdef int32_t cell
    if c.returned >= 0:
        cell = c.returned
        c.returned = a.cells[cell].below
    else:
        cell = c.next
        c.next += 1
    return cell

cdef inline int32_t take_front(Arena* a, State* c) noexcept nogil:
    """Removes the first word of the buffer; the returned cell may be edited."""
    return own(a, drop_front(a, c))

cdef inline void push(Arena* a, State* c, int32_t owned) noexcept nogil:
    a.cells[owned].below = c.stack[0]
    c.stack[0] = owned

cdef inline void shift(Arena* a, State* c) noexcept nogil:
    push(a, c, take_front(a, c))

cdef inline int32_t pop(const Arena* a, State* c) noexcept nogil:
    cdef int32_t cell = c.stack[0]
    c.stack[0] = a.cells[cell].below
    return cell

cdef inline int32_t take_second(Arena* a, State* c) noexcept nogil:
    """Makes the stack top editable and removes the cell below it."""
    cdef int32_t top = own_top(a, c), second = a.cells[top].below
    a.cells[top].below = a.cells[second].below
    return second

cdef inline void unshift(Arena* a, State* c, int32_t cell) noexcept nogil:
    """Puts a cell in front of the buffer."""
    cdef int32_t owned = own(a, cell)
    a.cells[owned].below = c.returned
    c.returned = owned

cdef inline int32_t replace_front(Arena* a, State* c) noexcept nogil:
    """Removes the front of the buffer and moves the stack top, made editable, to its place."""
    cdef int32_t cell = drop_front(a, c)
    unshift(a, c, pop(a, c))
    return cell


# ── drawing arcs ──

cdef inline void adopt(Arena* a, State* c, int32_t head, int32_t child, int32_t label) noexcept nogil:
    """Records on the (owned) cell of the head that it has got `child`, a word."""
    cdef Cell* h = &a.cells[head]
    h.key = mix(h.key, (<uint64_t>1 << 56) | (<uint64_t>label << 32) | <uint32_t>child)
    if child < h.word:
        h.n_left += h.n_left < 255
        h.left_set[label >> 6 & 1] |= <uint64_t>1 << (label & 63)
        if h.left[0] < 0 or child < h.left[0]:
            h.left[1] = h.left[0]
            h.left_label[1] = h.left_label[0]
            h.left[0] = child
            h.left_label[0] = <uint16_t>label
        elif h.left[1] < 0 or child < h.left[1]:
            h.left[1] = child
            h.left_label[1] = <uint16_t>label
    else:
        h.n_right += h.n_right < 255
        h.right_set[label >> 6 & 1] |= <uint64_t>1 << (label & 63)
        if h.right[0] < 0 or child > h.right[0]:
            h.right[1] = h.right[0]
            h.right_label[1] = h.right_label[0]
            h.right[0] = child
            h.right_label[0] = <uint16_t>label
        elif h.right[1] < 0 or child > h.right[1]:
            h.right[1] = child
            h.right_label[1] = <uint16_t>label
    if h.word == 0:
        if c.root_child < 0:
            c.root_child = child
        c.root_children += c.root_children < 255

cdef inline void attach(Arena* a, int32_t dependent, int32_t head, int32_t label) noexcept nogil:
    """Records on the (owned) cell of the dependent that it has got the head whose cell is `head`."""
    cdef Cell* d = &a.cells[dependent]
    cdef const Cell* h = &a.cells[head]
    d.head = h.word
    d.label = <uint16_t>label
    d.grandhead = h.head
    d.head_label = h.label
    d.key = mix(d.key, (<uint64_t>2 << 56) | (<uint64_t>label << 32) | <uint32_t>h.word)
    d.key = mix(d.key, (<uint64_t>3 << 56) | (<uint64_t>h.label << 32) | <uint32_t>h.head)

cdef inline void connect(Arena* a, State* c, int32_t head, int32_t dependent, int32_t label) noexcept nogil:
    """Records an arc on the cells of both of its words, which are owned."""
    attach(a, dependent, head, label)
    adopt(a, c, head, a.cells[dependent].word, label)

cdef inline void attach_leaving(Arena* a, int32_t dependent, int32_t head, int32_t label) noexcept nogil:
    """The same for a dependent that no later move can reach: only the exclusive regime keeps its head."""
    if a.exclusive:
        attach(a, dependent, head, label)

cdef inline void connect_leaving(Arena* a, State* c, int32_t head, int32_t dependent, int32_t label) noexcept nogil:
    """Records an arc into such a dependent."""
    attach_leaving(a, dependent, head, label)
    adopt(a, c, head, a.cells[dependent].word, label)


# ── arcs of systems whose words may have several heads ──

cdef enum:
    # Cell.own of these systems, NONE where there is no arc
    NEWEST_OUT                  # the newest arc from the word
    NEWEST_IN                   # the newest arc to the word

cdef inline void start_graph(const Spec* spec, Arena* a, State* c) noexcept nogil:
    """The Spec.start of these systems."""
    cdef int32_t w
    for w in range(a.n + 1):
        a.cells[w].own[NEWEST_OUT] = a.cells[w].own[NEWEST_IN] = NONE

cdef inline int32_t note_arc(Graph* g, int32_t head, int32_t dependent, int32_t label) noexcept nogil:
    """Adds an arc between words to no list; there is room for it."""
    cdef Drawn* arc = &g.arcs[g.n_arcs]
    arc.head, arc.dependent, arc.label = head, dependent, <uint16_t>label
    arc.next_out = arc.next_in = NONE
    g.n_arcs += 1
    return g.n_arcs - 1

cdef inline void draw_arc(Arena* a, int32_t head, int32_t dependent, int32_t label) noexcept nogil:
    """Records an arc on the cells of both of its words, which are owned; there is room for it."""
    cdef Cell* h = &a.cells[head]
    cdef Cell* d = &a.cells[dependent]
    cdef int32_t k = note_arc(a.graph, h.word, d.word, label)
    a.graph.arcs[k].next_out = h.own[NEWEST_OUT]
    a.graph.arcs[k].next_in = d.own[NEWEST_IN]
    h.own[NEWEST_OUT] = d.own[NEWEST_IN] = k
    d.n_heads += d.n_heads < 255
    d.key = mix(d.key, <uint64_t>4 << 56)

cdef inline bint has_arc(const Arena* a, int32_t head, int32_t dependent) noexcept nogil:
    """Whether an arc leads from a word to that of a cell; linear in the heads of the dependent."""
    cdef int32_t k = a.cells[dependent].own[NEWEST_IN]
    while k >= 0 and a.graph.arcs[k].head != head:
        k = a.graph.arcs[k].next_in
    return k >= 0


# ── what many systems answer alike ──

cdef inline void top_and_front(const Spec* spec, const Arena* a, const State* c, int32_t move,
                               int32_t* head, int32_t* dependent) noexcept nogil:
    """Spec.arc: the stack top and the front of the buffer."""
    if spec.leftward >> move & 1:
        head[0], dependent[0] = front(a, c), c.stack[0]
    else:
        head[0], dependent[0] = c.stack[0], front(a, c)


cdef inline void top_two(const Spec* spec, const Arena* a, const State* c, int32_t move,
                         int32_t* head, int32_t* dependent) noexcept nogil:
    """Spec.arc: the stack top and the cell below it."""
    if spec.leftward >> move & 1:
        head[0], dependent[0] = c.stack[0], below(a, c.stack[0])
    else:
        head[0], dependent[0] = below(a, c.stack[0]), c.stack[0]


cdef inline bint buffer_empty(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    """Spec.is_final: no word is left in the buffer."""
    return front(a, c) < 0


cdef inline bint one_left(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    """Spec.is_final: the buffer is empty and the stack holds one cell at most."""
    return front(a, c) < 0 and below(a, c.stack[0]) < 0
