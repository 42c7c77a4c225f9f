"""Three registers: trees whose crossing arcs come in disjoint intervals, each with three words that all of them touch.

    move                    from -> to                                       legal when
    SHIFT                   (S, b|B) -> (S|b, B)                             -
    REDUCE                  (S|s, B) -> (S, B)                               s has a head
    LEFT-ARC                (S|s, b|B) -> (S, b|B)                   b->s    no register between, s not locked
    RIGHT-ARC               (S|s, b|B) -> (S|s|b, B)                 s->b    the same
    STORE                   b goes to the first empty register               b right of the last survivor
    CLEAR                   S|s and uncovered registers -> S, in order;      two are filled, or no input left; stack
                            the word next to the buffer returns to it        below s left of R1, and s not between two
                                                                             registers, nor locked; nothing is lost
    REGISTER(k,to-stack)    s leaves if it is left of Rk             Rk->s   T1, T2, T3
    REGISTER(k,to-register) -                                        s->Rk   T1, T2, T3
    REGISTERS(j,k)          -                                        Rj->Rk  both are filled; T1

T1: intervals stay disjoint: s is right of the last survivor, or the arc crosses no other, now and later. T2: only
arcs of registers are crossed: with R3 filled, the word below s is left of R3. T3: no other word gets a child beyond
its own parent. All arcs: the dependent is a word without head, and no cycle arises.

Starts with the root in the buffer; final when buffer and registers are empty.

This is the two-registers system of Pitler and McDonald (2015) with one register more, and with arcs between registers
as moves of their own, so that each move draws one arc at most. T1 is weaker: with two registers it is enough that a
last survivor only has arcs with R1, but between two crossings that touch, such as those in 4-6 5-7 7-9 8-10, the word
in the middle has to be in a register though an arc may lead to it from further left.

Constant time, as two_registers.pyx has it. `covered`: a flag per register, set when an arc that spans it is drawn.
`lock`: the rightmost stack word right of all registers that an arc of a register has spanned since the last STORE;
while a register is empty, words up to it neither join the buffer nor survive CLEAR. Acyclicity: `rho` is the root of
each register's component, `base` the bottom of the chain of RIGHT-ARCs that carries a stack word right of R1, or the
register that it hangs from. Survivors get arcs that cross none: then no stack word lies between the two words, so that
the outermost arcs of the registers tell, and registers that are spanned note how far their arcs may reach.

Its oracle is in three_registers_oracle.pyx.
"""

from fastparse.machine.operations cimport (
    adopt, attach, attach_leaving, connect, connect_leaving, front, own, own_front, own_register, own_top, pop, push,
    shift, take_front, unshift, word_of)
from fastparse.machine.spec cimport ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, Cell, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System

cdef struct Operands:
    # Words; NONE where missing. Registers are left of the buffer and of one another.
    int32_t s1
    int32_t s2
    int32_t b1
    int32_t r[REGISTERS]
    int32_t filled
    int32_t last_r              # the last register that is filled
    int32_t head_s1
    int32_t head_b1


cdef inline void look(const Arena* a, const State* c, Operands* o) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c), k
    o.s1 = o.s2 = o.b1 = o.head_s1 = o.head_b1 = o.last_r = NONE
    o.filled = 0
    if s >= 0:
        o.s1 = a.cells[s].word
        o.head_s1 = a.cells[s].head
        o.s2 = word_of(a, a.cells[s].below)
    if b >= 0:
        o.b1 = a.cells[b].word
        o.head_b1 = a.cells[b].head
    for k in range(REGISTERS):
        o.r[k] = word_of(a, c.reg[k])
        if o.r[k] >= 0:
            o.filled = k + 1
            o.last_r = o.r[k]


cdef inline int32_t* rho(State* c, int32_t k) noexcept nogil:
    return &c.own[k if k < 2 else RHO_3]


cdef inline int32_t rho_of(const State* c, int32_t k) noexcept nogil:
    return c.own[k if k < 2 else RHO_3]


cdef inline int32_t component(const Arena* a, const State* c) noexcept nogil:
    """The root of the component of the stack top, seen from filled registers."""
    cdef const Cell* s = &a.cells[c.stack[0]]
    if s.word < a.cells[c.reg[0]].word:
        return LEFT
    if s.own[BASE] <= BY:
        return rho_of(c, BY - s.own[BASE])
    return s.own[BASE]


cdef inline bint between(int32_t x, int32_t u, int32_t v) noexcept nogil:
    return u < x < v or v < x < u


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef Operands o
    cdef uint32_t moves = 0
    cdef int32_t k
    cdef bint locked
    look(a, c, &o)
    locked = 0 < o.filled < REGISTERS and o.s1 <= c.own[LOCK]
    if o.head_s1 >= 0:
        moves |= <uint32_t>1 << REDUCE
    if o.b1 >= 0:
        moves |= <uint32_t>1 << SHIFT
        if o.s1 > o.last_r and not locked:
            if o.s1 > 0 and o.head_s1 < 0 and o.head_b1 < 0:
                moves |= <uint32_t>1 << LEFT_ARC
            if o.b1 > 0 and o.head_b1 < 0 and o.head_s1 < o.s1:
                moves |= <uint32_t>1 << RIGHT_ARC
        if o.b1 > c.own[LAST] and o.filled < REGISTERS:
            moves |= <uint32_t>1 << STORE
    if o.filled == 0:
        return moves
    if ((o.filled > 1 or o.b1 < 0) and o.s2 < o.r[0] and not (o.r[0] < o.s1 < o.last_r)
            and not (locked and o.s1 > o.last_r) and loses_nothing(a, c)):
        moves |= <uint32_t>1 << CLEAR
    moves |= between_registers(a, c, &o)
    if o.s1 < 0 or (o.filled == REGISTERS and o.s2 > o.last_r):
        return moves
    for k in range(o.filled):
        if may_reach(a, c, &o, k, o.s1) and (o.s1 > c.own[LAST] or crosses_none(a, c, &o, k)):
            if may_head_stack(a, c, &o, k):
                moves |= <uint32_t>1 << (TO_STACK + k)
            if may_head_register(a, c, &o, k):
                moves |= <uint32_t>1 << (TO_REGISTER + k)
    return moves


cdef inline bint loses_nothing(const Arena* a, const State* c) noexcept nogil:
    """Whether each register that CLEAR drops has a head."""
    cdef int32_t k
    for k in range(REGISTERS):
        if c.own_flags >> k & 1 and a.cells[c.reg[k]].head < 0:
            return False
    return True


cdef inline uint32_t between_registers(const Arena* a, const State* c, const Operands* o) noexcept nogil:
    """Rj -> Rk: no second head, no cycle."""
    cdef uint32_t moves = 0
    cdef int32_t move, head, dependent
    for move in range(BETWEEN, N_MOVES):
        head, dependent = head_of_pair(move), dependent_of_pair(move)
        if (o.r[head] >= 0 and o.r[dependent] > 0 and a.cells[c.reg[dependent]].head < 0
                and rho_of(c, head) != o.r[dependent] and may_reach(a, c, o, head, o.r[dependent])
                and may_reach(a, c, o, dependent, o.r[head])):
            moves |= <uint32_t>1 << move
    return moves


cdef inline bint may_reach(const Arena* a, const State* c, const Operands* o, int32_t k, int32_t word) noexcept nogil:
    """Whether an arc from Rk to a word crosses no arc of a survivor."""
    cdef const Cell* r = &a.cells[c.reg[k]]
    return r.own[LOWEST] <= word <= r.own[HIGHEST]


cdef inline bint crosses_none(const Arena* a, const State* c, const Operands* o, int32_t k) noexcept nogil:
    """Whether the arc between the stack top, which lies left of R1, and Rk crosses no arc so far.

    It could only cross those of registers: of the ones that it spans if they lead outside, of others if inside.
    """
    cdef const Cell* r
    cdef int32_t j
    for j in range(o.filled):
        r = &a.cells[c.reg[j]]
        if j < k:
            if (r.right[0] > o.r[k] or 0 <= r.left[0] < o.s1 or r.head > o.r[k] or 0 <= r.head < o.s1):
                return False
        elif j > k:
            if o.s1 < r.left[0] < o.r[k] or o.s1 < r.left[1] < o.r[k] or o.s1 < r.head < o.r[k]:
                return False
    return True


cdef inline bint may_head_stack(const Arena* a, const State* c, const Operands* o, int32_t k) noexcept nogil:
    """Rk -> s1: T3, no second head, no cycle."""
    cdef int32_t j
    if o.s1 == 0 or o.head_s1 >= 0:
        return False
    for j in range(o.filled):
        if j != k and a.cells[c.reg[j]].head == o.s1 and between(o.r[k], o.s1, o.r[j]):
            return False
    return rho_of(c, k) != (LEFT if o.s1 < o.r[0] else o.s1)


cdef inline bint may_head_register(const Arena* a, const State* c, const Operands* o, int32_t k) noexcept nogil:
    """s1 -> Rk: T3, no second head, no cycle."""
    if o.r[k] == 0 or a.cells[c.reg[k]].head >= 0 or (o.head_s1 >= 0 and between(o.head_s1, o.s1, o.r[k])):
        return False
    if o.s1 < o.r[0]:
        return o.head_s1 < o.s1
    return component(a, c) != o.r[k]


cdef inline void replace(State* c, int32_t root, int32_t by) noexcept nogil:
    """The component with this root has been attached to the one with the other."""
    cdef int32_t k
    for k in range(REGISTERS):
        if rho(c, k)[0] == root:
            rho(c, k)[0] = by


cdef inline void cover(const Arena* a, State* c, int32_t u, int32_t v) noexcept nogil:
    """An arc between two words is going to span registers."""
    cdef int32_t k
    for k in range(REGISTERS):
        if c.reg[k] >= 0 and between(a.cells[c.reg[k]].word, u, v):
            c.own_flags |= 1 << k


cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t s, b, root
    if move == SHIFT:
        shift(a, c)
        a.cells[c.stack[0]].own[BASE] = a.cells[c.stack[0]].word
    elif move == REDUCE:
        pop(a, c)
    elif move == LEFT_ARC:
        s = pop(a, c)
        b = own_front(a, c)
        connect_leaving(a, c, b, s, label)
        if c.reg[0] >= 0:
            replace(c, word_of(a, s), word_of(a, b))
    elif move == RIGHT_ARC:
        root = component(a, c) if c.reg[0] >= 0 else NONE
        s = own_top(a, c)
        b = take_front(a, c)
        connect(a, c, s, b, label)
        a.cells[b].own[BASE] = a.cells[s].own[BASE]
        push(a, c, b)
        if c.reg[0] >= 0:
            replace(c, word_of(a, b), root)
    elif move == STORE:
        store(a, c)
    elif move == CLEAR:
        clear(a, c)
    elif move < TO_REGISTER:
        to_stack(a, c, move - TO_STACK, label)
    elif move < BETWEEN:
        to_register(a, c, move - TO_REGISTER, label)
    else:
        join(a, c, head_of_pair(move), dependent_of_pair(move), label)


cdef inline void store(Arena* a, State* c) noexcept nogil:
    cdef int32_t k = (c.reg[0] >= 0) + (c.reg[1] >= 0)
    cdef int32_t b = take_front(a, c)
    a.cells[b].below = NONE
    c.reg[k] = b
    rho(c, k)[0] = word_of(a, b)
    c.own[LOCK] = NONE
    a.cells[b].own[LOWEST], a.cells[b].own[HIGHEST] = 0, a.n


cdef inline void clear(Arena* a, State* c) noexcept nogil:
    cdef int32_t kept[REGISTERS + 1]
    cdef int32_t n_kept = 0, k, cell, first = word_of(a, c.reg[0]), end = front(a, c), s = c.stack[0]
    end = word_of(a, end) if end >= 0 else a.n + 1
    # The stack top is left of R1 or right of all registers.
    if s >= 0:
        pop(a, c)
        if word_of(a, s) < first:
            kept[0] = s
            n_kept = 1
    for k in range(REGISTERS):
        if c.reg[k] >= 0 and not c.own_flags >> k & 1:
            kept[n_kept] = c.reg[k]
            n_kept += 1
    if s >= 0 and word_of(a, s) > first:
        kept[n_kept] = s
        n_kept += 1
    # The last one returns to the buffer if nothing lies between, unless it is R1.
    cell = kept[n_kept - 1]
    c.own[LAST] = word_of(a, cell)
    if c.own[LAST] == end - 1 and c.own[LAST] != first:
        n_kept -= 1
        unshift(a, c, cell)
    for k in range(n_kept):
        push(a, c, own(a, kept[k]))
    for k in range(REGISTERS):
        c.reg[k] = rho(c, k)[0] = NONE
    c.own[LOCK] = NONE
    c.own_flags = 0


cdef inline void to_stack(Arena* a, State* c, int32_t k, int32_t label) noexcept nogil:
    cdef int32_t r = own_register(a, c, k)
    cdef int32_t s = c.stack[0]
    cdef int32_t word = word_of(a, s)
    span(a, c, k)
    replace(c, LEFT if word < word_of(a, c.reg[0]) else word, rho_of(c, k))
    if word < word_of(a, r):
        pop(a, c)
        attach_leaving(a, s, r, label)
    else:
        s = own_top(a, c)
        attach(a, s, r, label)
        a.cells[s].own[BASE] = BY - k
    adopt(a, c, r, word, label)


cdef inline void to_register(Arena* a, State* c, int32_t k, int32_t label) noexcept nogil:
    cdef int32_t r = own_register(a, c, k)
    cdef int32_t s
    span(a, c, k)
    replace(c, word_of(a, r), component(a, c))
    s = own_top(a, c)
    connect(a, c, s, r, label)


cdef inline void join(Arena* a, State* c, int32_t head, int32_t dependent, int32_t label) noexcept nogil:
    cdef int32_t h = own_register(a, c, head), d = own_register(a, c, dependent)
    cover(a, c, word_of(a, h), word_of(a, d))
    replace(c, word_of(a, d), rho_of(c, head))
    connect(a, c, h, d, label)


cdef inline void span(Arena* a, State* c, int32_t k) noexcept nogil:
    """Notes what an arc between the stack top and Rk is going to span."""
    cdef int32_t s1 = word_of(a, c.stack[0]), s2 = word_of(a, a.cells[c.stack[0]].below)
    cdef int32_t last = word_of(a, c.reg[1]) if c.reg[1] >= 0 else word_of(a, c.reg[0])
    cdef int32_t j, r
    cover(a, c, word_of(a, c.reg[k]), s1)
    if s1 <= c.own[LAST]:
        for j in range(k):
            r = own_register(a, c, j)
            a.cells[r].own[LOWEST] = max(a.cells[r].own[LOWEST], s1)
            a.cells[r].own[HIGHEST] = min(a.cells[r].own[HIGHEST], word_of(a, c.reg[k]))
    if c.reg[REGISTERS - 1] < 0 and s1 > last and s2 > last and s2 > c.own[LOCK]:
        c.own[LOCK] = s2


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return c.reg[0] < 0 and front(a, c) < 0


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    if move == LEFT_ARC:
        head[0], dependent[0] = front(a, c), c.stack[0]
    elif move == RIGHT_ARC:
        head[0], dependent[0] = c.stack[0], front(a, c)
    elif move < TO_REGISTER:
        head[0], dependent[0] = c.reg[move - TO_STACK], c.stack[0]
    elif move < BETWEEN:
        head[0], dependent[0] = c.stack[0], c.reg[move - TO_REGISTER]
    else:
        head[0], dependent[0] = c.reg[head_of_pair(move)], c.reg[dependent_of_pair(move)]


cdef void start(const Spec* spec, Arena* a, State* c) noexcept nogil:
    cdef int32_t k
    for k in range(REGISTERS):
        rho(c, k)[0] = NONE
    c.own[LAST] = c.own[LOCK] = NONE


cdef uint32_t DRAWING = ((<uint32_t>1 << N_MOVES) - 1) & ~<uint32_t>(
    (1 << SHIFT) | (1 << REDUCE) | (1 << STORE) | (1 << CLEAR))
cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=DRAWING, drawing=DRAWING,
    leftward=(1 << LEFT_ARC) | (1 << (BETWEEN + 2)) | (1 << (BETWEEN + 4)) | (1 << (BETWEEN + 5)),
    traits=ROOT_IN_BUFFER, n_stacks=1, cells_per_move=REGISTERS + 1, options=0, data=NULL, start=start, legal=legal,
    apply=apply, is_final=is_final, arc=arc)

MOVES = (
    "SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "STORE", "CLEAR",
    *(f"REGISTER({k},to-stack)" for k in range(1, REGISTERS + 1)),
    *(f"REGISTER({k},to-register)" for k in range(1, REGISTERS + 1)),
    *(f"REGISTERS({j},{k})" for j in range(1, REGISTERS + 1) for k in range(1, REGISTERS + 1) if j != k))
SYSTEM = System.wrap(
    &SPEC, "three-registers", MOVES, "3-crossing-interval", None,
    ("registers", "third register", "covered", "lock", "survivor"))
