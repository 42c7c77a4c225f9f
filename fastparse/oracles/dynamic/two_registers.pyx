"""A dynamic oracle of two-registers: a rule of thumb, and a look ahead where that is not enough.

While the registers are empty, no two arcs cross that can still be drawn, and no word's head stands between it and a
dependent, the system is arc-eager, and so are the costs, exactly. Elsewhere every move is tried (lookahead.pxd). Its
rule of thumb keeps to the words that the static derivation stores: with empty registers it is arc-eager's oracle;
elsewhere one move is right, what the rules of the static oracle choose (two_registers.pyx), where an arc is missing
only if it can still be drawn. Registers filled by mistake, or whose partner has been shifted, are emptied again: the
next word fills the other one, and CLEAR follows.

Arcs that can still be drawn: their words are there and the dependent has no head. Two words of the stack never meet
again, unless the upper one lies right of R2 and CLEAR returns it to the buffer; nor do two words in the registers,
unless it returns R2. Not every such arc can be drawn, and not all of them together.
"""

from fastparse.machine.operations cimport buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.oracles.dynamic.arc_eager cimport best_moves as best_of_arc_eager
from fastparse.oracles.dynamic.lookahead cimport look_ahead
from fastparse.oracles.dynamic_oracle cimport DynamicOracle
from fastparse.transition_systems.two_registers cimport (
    CLEAR, LEFT_ARC, R1_TO_REGISTER, R1_TO_STACK, REDUCE, RIGHT_ARC, SHIFT, STORE_LEFT, STORE_NONE, STORE_RIGHT)

cdef enum:
    # What becomes of a word.
    GONE, ON_STACK, IN_REGISTER, IN_BUFFER
    ARC_EAGER = (1 << SHIFT) | (1 << REDUCE) | (1 << LEFT_ARC) | (1 << RIGHT_ARC)


cdef void note(const Spec* spec, const Arena* a, const State* c, int32_t move, const int32_t* head,
               int32_t* scratch) noexcept nogil:
    """Keeps each stored word's partner, and with which stored word in R1 the arc of a dependent is drawn."""
    cdef int32_t* partner = scratch + 3 * (a.n + 1)
    cdef int32_t* drawn_with = scratch + 4 * (a.n + 1)
    cdef int32_t r1 = word_of(a, c.reg[0]), h = NONE, d = NONE
    if move >= STORE_NONE and move <= STORE_RIGHT and r1 >= 0:
        partner[r1] = buffer_word(a, c)
    if move == STORE_LEFT or move == STORE_RIGHT or move >= R1_TO_STACK:
        spec.arc(spec, a, c, move, &h, &d)
        drawn_with[d] = r1


cdef void find_words(const Arena* a, const State* c, int32_t b, int32_t* where) noexcept nogil:
    cdef int32_t w, k, cell = c.stack[0]
    for w in range(a.n + 1):
        where[w] = IN_BUFFER if 0 <= b <= w else GONE
    while cell >= 0:
        where[a.cells[cell].word] = ON_STACK
        cell = a.cells[cell].below
    for k in range(2):
        if c.reg[k] >= 0:
            where[a.cells[c.reg[k]].word] = IN_REGISTER


cdef int32_t missing(const Arena* a, const int32_t* head, const int32_t* where, int32_t s) noexcept nogil:
    """The arcs of the stack top that can still be drawn."""
    cdef int32_t w, found = 0
    if a.cells[s].head < 0 and s > 0:
        found += where[head[s]] > ON_STACK
    for w in range(1, a.n + 1):
        found += head[w] == s and a.cells[w].head < 0 and where[w] > ON_STACK
    return found


cdef bint is_pending(const Arena* a, const int32_t* head, const int32_t* where, const int32_t* drawn_with,
                     int32_t r1) noexcept nogil:
    """Whether an arc that needs the registers can still be drawn."""
    cdef int32_t w
    for w in range(1, a.n + 1):
        if drawn_with[w] == r1 and a.cells[w].head < 0 and where[w] != GONE and where[head[w]] != GONE:
            return True
    return False


cdef uint32_t rule(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                   uint32_t legal) noexcept nogil:
    # Cells are words here.
    cdef int32_t s = c.stack[0], b = buffer_word(a, c), r1 = c.reg[0], r, k, lacks = 0
    cdef int32_t* where = scratch
    cdef const int32_t* partner = scratch + 3 * (a.n + 1)
    cdef const int32_t* drawn_with = scratch + 4 * (a.n + 1)
    cdef bint to_store = b >= 0 and legal >> STORE_NONE & 1 and (partner[b] >= 0 if r1 < 0 else partner[r1] <= b)
    if r1 < 0 and not to_store:
        return best_of_arc_eager(spec, a, c, head, scratch, legal & ARC_EAGER)
    find_words(a, c, b, where)
    if s >= 0:
        lacks = missing(a, head, where, s)
    if legal >> REDUCE & 1 and lacks == 0:
        return 1 << REDUCE
    if r1 >= 0:
        for k in range(2):
            r = c.reg[k]
            if r >= 0 and s >= 0 and head[r] == s and legal >> (R1_TO_REGISTER + k) & 1:
                return <uint32_t>1 << (R1_TO_REGISTER + k)
        for k in range(2):
            r = c.reg[k]
            if (r >= 0 and s >= 0 and head[s] == r and legal >> (R1_TO_STACK + k) & 1
                    and (s > r or lacks == 1)):
                return <uint32_t>1 << (R1_TO_STACK + k)
        if legal >> CLEAR & 1 and not is_pending(a, head, where, drawn_with, r1):
            return 1 << CLEAR
    if legal >> LEFT_ARC & 1 and head[s] == b and lacks == 1:
        return 1 << LEFT_ARC
    if to_store:
        if r1 >= 0 and head[r1] == b and legal >> STORE_LEFT & 1:
            return 1 << STORE_LEFT
        if r1 >= 0 and head[b] == r1 and legal >> STORE_RIGHT & 1:
            return 1 << STORE_RIGHT
        return 1 << STORE_NONE
    if legal >> RIGHT_ARC & 1 and head[b] == s:
        return 1 << RIGHT_ARC
    return legal & (1 << SHIFT)


cdef inline bint can_be_drawn(const Arena* a, const State* c, const int32_t* head, const int32_t* where,
                              int32_t end, int32_t w) noexcept nogil:
    """Whether the arc into w, which is not drawn, may still be, for itself."""
    cdef int32_t h = head[w], right = max(w, head[w])
    if a.cells[w].head >= 0 or where[w] == GONE or where[h] == GONE:
        return False
    if where[w] == ON_STACK and where[h] == ON_STACK:
        return c.reg[1] >= 0 and right > word_of(a, c.reg[1]) and right == end - 1
    if where[w] == IN_REGISTER and where[h] == IN_REGISTER:
        return right == end - 1
    return True


cdef int32_t hope(const Spec* spec, const Arena* a, const State* c, const int32_t* head,
                  int32_t* scratch) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), end = b if b >= 0 else a.n + 1, w, found = 0
    find_words(a, c, b, scratch)
    for w in range(1, a.n + 1):
        found += a.cells[w].head == head[w] or can_be_drawn(a, c, head, scratch, end, w)
    return found


cdef bint cross_ahead(const Arena* a, const State* c, const int32_t* head, int32_t* scratch) noexcept nogil:
    """Whether two arcs cross that may still be drawn, or one leads from a word over the head of that word.

    Where nothing crosses, the head is then a word that has lost its own: no projective tree has such arcs.
    """
    cdef int32_t b = buffer_word(a, c), end = b if b >= 0 else a.n + 1, w, h, k, low, high, n_open = 0
    cdef int32_t* open_arcs = scratch + a.n + 1
    find_words(a, c, b, scratch)
    for w in range(1, a.n + 1):
        if not can_be_drawn(a, c, head, scratch, end, w):
            continue
        h = head[w]
        low, high = min(w, h), max(w, h)
        if h > 0 and low < head[h] < high and can_be_drawn(a, c, head, scratch, end, h):
            return True
        for k in range(n_open):
            if (low < min(open_arcs[k], head[open_arcs[k]]) < high < max(open_arcs[k], head[open_arcs[k]])
                    or min(open_arcs[k], head[open_arcs[k]]) < low < max(open_arcs[k], head[open_arcs[k]]) < high):
                return True
        open_arcs[n_open] = w
        n_open += 1
    return False


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    if c.reg[0] < 0 and legal & ARC_EAGER and not cross_ahead(a, c, head, scratch):
        return best_of_arc_eager(spec, a, c, head, scratch, legal & ARC_EAGER)
    return look_ahead(spec, a, c, head, scratch, legal, rule, hope)


ORACLE = DynamicOracle.wrap(best_moves, note)
