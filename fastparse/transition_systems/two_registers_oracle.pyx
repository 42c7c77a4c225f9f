"""The oracles of two-registers.

The static oracle has each crossing interval pass through the registers with one valid pair of words. The first rule
that applies:

    REDUCE          all arcs of s are built, and s is not the root
    REGISTER(...)   its arc is in the tree, the move is legal, and s, if it leaves, lacks no other arc
    CLEAR           both registers are filled and no crossed arc of their interval is missing
    LEFT-ARC        its arc is in the tree, the move is legal, and s lacks no other arc
    STORE(...)      b is the first word of the pair of some interval, or the second of the current one
    RIGHT-ARC       its arc is in the tree and the move is legal
    SHIFT           otherwise

Arcs of R1 are built as early as possible: a word p between the pair's words with the child R1 and its head in front of
R2 leaves before R2 is filled.

The dynamic oracle is a rule of thumb, and a look ahead where that is not enough. While the registers are empty, no two
arcs cross that can still be drawn, and no word's head stands between it and a dependent, the system is arc-eager, and
so are the costs, exactly. Elsewhere every move is tried (lookahead.pxd). The rule of thumb keeps to the words that the
static derivation stores: with empty registers it is arc-eager's oracle; elsewhere one move is right, what the rules
above choose, where an arc is missing only if it can still be drawn. Registers filled by mistake, or whose partner has
been shifted, are emptied again: the next word fills the other one, and CLEAR follows.

Arcs that can still be drawn: their words are there and the dependent has no head. Two words of the stack never meet
again, unless the upper one lies right of R2 and CLEAR returns it to the buffer; nor do two words in the registers,
unless it returns R2. Not every such arc can be drawn, and not all of them together.
"""

from libc.string cimport memset

from fastparse.machine.operations cimport buffer_word, front, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.transition_systems.arc_eager cimport best_moves as best_of_arc_eager
from fastparse.transition_systems.lookahead cimport look_ahead
from fastparse.transition_systems.oracle cimport DynamicOracle, OUTSIDE, READY, StaticOracle
from fastparse.transition_systems.two_registers cimport (
    CLEAR, LAST, LEFT_ARC, R1_TO_REGISTER, R1_TO_STACK, REDUCE, RIGHT_ARC, SHIFT, STORE_LEFT, STORE_NONE, STORE_RIGHT)
from fastparse.trees.crossing cimport Intervals, MAX_PAIRS, find_intervals, mark_crossed

cdef enum:
    # What becomes of a word.
    GONE, ON_STACK, IN_REGISTER, IN_BUFFER
    ARC_EAGER = (1 << SHIFT) | (1 << REDUCE) | (1 << LEFT_ARC) | (1 << RIGHT_ARC)


# ── the static oracle ──

cdef int prepare(const Spec* spec, Gold* gold) noexcept nogil:
    cdef Intervals found
    cdef int32_t i
    gold.scratch[BEGIN][0] = NONE
    if not mark_crossed(&gold.tree, True, gold.scratch[CROSSED]):
        take_pairs(gold)
        return READY if gold.choices == NULL or gold.n_choices == 0 else OUTSIDE
    found.left, found.right, found.n_pairs = gold.scratch[BEGIN], gold.scratch[END], gold.scratch[N_PAIRS]
    found.a, found.b = gold.scratch[A], gold.scratch[B]
    find_intervals(&gold.tree, gold.scratch[CROSSED], &found)
    if not found.covered or (gold.choices != NULL and gold.n_choices != 2 * found.count):
        return OUTSIDE
    gold.scratch[BEGIN][found.count] = NONE
    for i in range(found.count):
        gold.scratch[PAIR][i] = 0 if gold.choices == NULL else chosen_pair(gold, i)
        if gold.scratch[PAIR][i] < 0:
            return OUTSIDE
    take_pairs(gold)
    return READY


cdef int32_t chosen_pair(const Gold* gold, int32_t interval) noexcept nogil:
    """Number of the pair that was chosen for an interval, or NONE when it is not valid."""
    cdef int32_t i, at
    for i in range(gold.scratch[N_PAIRS][interval]):
        at = MAX_PAIRS * interval + i
        if gold.scratch[A][at] == gold.choices[2 * interval] and gold.scratch[B][at] == gold.choices[2 * interval + 1]:
            return i
    return NONE


cdef void take_pairs(Gold* gold) noexcept nogil:
    cdef const int32_t* crossed = gold.scratch[CROSSED]
    cdef int32_t w, at, x, i = 0
    memset(gold.scratch[PARTNER], 0xFF, (<size_t>gold.n + 1) * sizeof(int32_t))     # all NONE
    memset(gold.scratch[OWNER], 0xFF, (<size_t>gold.n + 1) * sizeof(int32_t))
    while gold.scratch[BEGIN][i] >= 0:
        at = MAX_PAIRS * i + gold.scratch[PAIR][i]
        x = gold.scratch[A][at]
        gold.scratch[PARTNER][x] = gold.scratch[B][at]
        gold.scratch[PENDING][x] = 0
        for w in range(gold.scratch[BEGIN][i], gold.scratch[END][i] + 1):
            if crossed[w]:
                gold.scratch[OWNER][w] = x
                gold.scratch[PENDING][x] += 1
        i += 1


cdef inline int32_t draw(Gold* gold, int32_t move, int32_t dependent) noexcept nogil:
    """The move, after counting the arc it is going to draw."""
    cdef int32_t first = gold.scratch[OWNER][dependent]
    if first >= 0:
        gold.scratch[PENDING][first] -= 1
    return move


cdef int32_t next_move(const Spec* spec, const Arena* a, const State* c, Gold* gold) noexcept nogil:
    # Cells are words here. The legality of an arc's move includes that the arc is not built.
    cdef int32_t s = c.stack[0], b = front(a, c), r1 = c.reg[0], r2 = c.reg[1], k, r
    cdef const int32_t* head = gold.head
    cdef const int32_t* partner = gold.scratch[PARTNER]
    cdef uint32_t legal
    if s > 0 and gold.missing[s] == 0:
        return REDUCE
    legal = spec.legal(spec, a, c)
    if r1 >= 0:
        if s >= 0:
            for k in range(2):
                r = c.reg[k]
                if r >= 0 and head[r] == s and legal >> (R1_TO_REGISTER + k) & 1:
                    return draw(gold, R1_TO_REGISTER + k, r)
            for k in range(2):
                r = c.reg[k]
                if (r >= 0 and head[s] == r and legal >> (R1_TO_STACK + k) & 1
                        and (s > r or gold.missing[s] == 1)):
                    return draw(gold, R1_TO_STACK + k, s)
        if r2 >= 0 and gold.scratch[PENDING][r1] == 0:
            return CLEAR
    if b < 0:
        return NONE
    if s >= 0 and head[s] == b and gold.missing[s] == 1 and legal >> LEFT_ARC & 1:
        return draw(gold, LEFT_ARC, s)
    if b > c.own[LAST] and (partner[b] >= 0 if r1 < 0 else r2 < 0 and partner[r1] == b):
        if r1 >= 0 and head[r1] == b and a.cells[r1].head < 0:
            return draw(gold, STORE_LEFT, r1)
        if r1 >= 0 and head[b] == r1:
            return draw(gold, STORE_RIGHT, b)
        return STORE_NONE
    if s >= 0 and head[b] == s and legal >> RIGHT_ARC & 1:
        return draw(gold, RIGHT_ARC, b)
    return SHIFT


ORACLE = StaticOracle.wrap(next_move, prepare, N_SCRATCH, True)


# ── the dynamic oracle ──

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


DYNAMIC = DynamicOracle.wrap(best_moves, note)
