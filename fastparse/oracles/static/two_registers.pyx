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

from fastparse.machine.operations cimport front
from fastparse.machine.state cimport NONE, uint32_t
from fastparse.oracles.crossing cimport NO_PAIR, crossed_arcs, crossing_interval, pair_is_valid, valid_pair
from fastparse.oracles.oracle cimport OUTSIDE, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.nonprojective.two_registers cimport (
    CLEAR, LEFT_ARC, R1_TO_REGISTER, R1_TO_STACK, REDUCE, RIGHT_ARC, SHIFT, STORE_LEFT, STORE_NONE, STORE_RIGHT)


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t w
    for w in range(gold.n + 1):
        gold.scratch[PARTNER][w] = gold.scratch[OWNER][w] = NONE
    if not crossed_arcs(gold, gold.scratch[CROSSED], gold.scratch[WORK], gold.scratch[WORK + 1]):
        return READY if gold.choices == NULL or gold.n_choices == 0 else OUTSIDE
    for w in range(2 * (gold.n + 1)):
        gold.scratch[ABOVE][w] = NONE
    return choose(gold)


cdef int choose(Gold* gold) noexcept nogil:
    cdef int32_t* partner = gold.scratch[PARTNER]
    cdef int32_t* owner = gold.scratch[OWNER]
    cdef int32_t* pending = gold.scratch[PENDING]
    cdef const int32_t* crossed = gold.scratch[CROSSED]
    cdef int32_t w, left, right = -1, n_intervals = 0, x, y
    cdef int32_t pair[2]
    for w in range(gold.n + 1):
        partner[w] = owner[w] = NONE
    while crossing_interval(gold, crossed, right + 1, &left, &right):
        if gold.choices != NULL:
            if n_intervals == gold.n_choices:
                return OUTSIDE
            pair[0], pair[1] = gold.choices[2 * n_intervals], gold.choices[2 * n_intervals + 1]
            if not pair_is_valid(gold, crossed, left, right, pair[0], pair[1]):
                return OUTSIDE
        else:
            pair[0], pair[1] = gold.scratch[ABOVE][2 * left], gold.scratch[ABOVE][2 * left + 1]
            if valid_pair(gold, crossed, left, right, pair) == NO_PAIR:
                return OUTSIDE
        n_intervals += 1
        x, y = pair[0], pair[1]
        partner[x] = y
        pending[x] = 0
        for w in range(left, right + 1):
            if crossed[w]:
                owner[w] = x
                pending[x] += 1
    return READY if gold.choices == NULL or n_intervals == gold.n_choices else OUTSIDE


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
    if b > c.last and (partner[b] >= 0 if r1 < 0 else r2 < 0 and partner[r1] == b):
        if r1 >= 0 and head[r1] == b and a.cells[r1].head < 0:
            return draw(gold, STORE_LEFT, r1)
        if r1 >= 0 and head[b] == r1:
            return draw(gold, STORE_RIGHT, b)
        return STORE_NONE
    if s >= 0 and head[b] == s and legal >> RIGHT_ARC & 1:
        return draw(gold, RIGHT_ARC, b)
    return SHIFT


cdef Oracle ORACLE_C = Oracle(n_scratch=N_SCRATCH, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
