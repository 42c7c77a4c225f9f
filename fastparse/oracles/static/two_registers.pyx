"""The oracle of two-registers: each crossing interval passes through the registers with one valid pair of words.

The first rule that applies:

    REDUCE          all arcs of s are built, and s is not the root
    REGISTER(...)   its arc is in the tree, the move is legal, and s, if it leaves, lacks no other arc
    CLEAR           both registers are filled and no crossed arc of their interval is missing
    LEFT-ARC        its arc is in the tree, the move is legal, and s lacks no other arc
    STORE(...)      b is the first word of the pair of some interval, or the second of the current one
    RIGHT-ARC       its arc is in the tree and the move is legal
    SHIFT           otherwise

Arcs of R1 are built as early as possible: a word p between the pair's words with the child R1 and its head in front of
R2 leaves before R2 is filled.
"""

from libc.string cimport memset

from fastparse.machine.operations cimport front
from fastparse.machine.state cimport NONE, uint32_t
from fastparse.oracles.oracle cimport OUTSIDE, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.two_registers cimport (
    CLEAR, LAST, LEFT_ARC, R1_TO_REGISTER, R1_TO_STACK, REDUCE, RIGHT_ARC, SHIFT, STORE_LEFT, STORE_NONE, STORE_RIGHT)
from fastparse.trees.arcs cimport mark_crossed
from fastparse.trees.intervals cimport Intervals, MAX_PAIRS, find_intervals


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef Intervals found
    cdef int32_t i
    gold.scratch[LEFT][0] = NONE
    if not mark_crossed(&gold.tree, True, gold.scratch[CROSSED]):
        take_pairs(gold)
        return READY if gold.choices == NULL or gold.n_choices == 0 else OUTSIDE
    found.left, found.right, found.n_pairs = gold.scratch[LEFT], gold.scratch[RIGHT], gold.scratch[N_PAIRS]
    found.a, found.b = gold.scratch[A], gold.scratch[B]
    find_intervals(&gold.tree, gold.scratch[CROSSED], &found)
    if not found.covered or (gold.choices != NULL and gold.n_choices != 2 * found.count):
        return OUTSIDE
    gold.scratch[LEFT][found.count] = NONE
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
    while gold.scratch[LEFT][i] >= 0:
        at = MAX_PAIRS * i + gold.scratch[PAIR][i]
        x = gold.scratch[A][at]
        gold.scratch[PARTNER][x] = gold.scratch[B][at]
        gold.scratch[PENDING][x] = 0
        for w in range(gold.scratch[LEFT][i], gold.scratch[RIGHT][i] + 1):
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


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
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


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, analyses=True, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
