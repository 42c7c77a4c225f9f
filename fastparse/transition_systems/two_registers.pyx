"""Two registers: trees whose crossing arcs come in disjoint intervals, each with two words that all of them touch.

    move                    from -> to                                       legal when
    SHIFT                   (S, b|B) -> (S|b, B)                             -
    REDUCE                  (S|s, B) -> (S, B)                               s has a head
    LEFT-ARC                (S|s, b|B) -> (S, b|B)                   b->s    no register between, s not locked
    RIGHT-ARC               (S|s, b|B) -> (S|s|b, B)                 s->b    the same
    STORE(none)             b goes to the first empty register               b right of the last survivor
    STORE(left)             the same, into R2                        b->R1   the same
    STORE(right)            the same, into R2                        R1->b   the same
    CLEAR                   S|s and uncovered registers -> S, in order;      both filled, or no input left; stack
                            the word next to the buffer returns to it        below s left of R1; nothing is lost
    REGISTER(k,to-stack)    s leaves if it is left of Rk             Rk->s   T1, T2, T3
    REGISTER(k,to-register) -                                        s->Rk   T1, T2, T3

T1: intervals stay disjoint: s is right of the last survivor, or k = 1 and R1 is not covered. T2: only arcs of registers
are crossed: with R2 filled, the word below s is left of R2. T3: no other word gets a child beyond its own parent. All
arcs: the dependent is a word without head, and no cycle arises.

Starts with the root in the buffer; final when buffer and registers are empty.

Constant time. `covered`: arcs that span a register touch the other one, so flags set when these are drawn suffice.
`lock`: the rightmost stack word spanned by an arc that R1 drew while R2 was empty; such arcs are crossed only by arcs
of R2, so words up to the lock wait for R2. Acyclicity: a stack word outside the region of the registers is spanned by
no arc, so its ancestors lie on one side of it; and words without head stay in sight, so every component is known by
its root. `rho` is the root of a register's component, `base` the bottom of the chain of RIGHT-ARCs that carries a stack
word right of R1, or the register that word hangs from.

Its oracles are in two_registers_oracle.pyx.
"""

from fastparse.machine.operations cimport (
    adopt, attach, attach_leaving, connect, connect_leaving, front, own, own_front, own_register, own_top, pop, push,
    shift, take_front, unshift, word_of)
from fastparse.machine.spec cimport ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.machine.system cimport System


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef Operands o
    cdef uint32_t moves = 0
    cdef int32_t k
    look(a, c, &o)
    if o.head_s1 >= 0:
        moves |= <uint32_t>1 << REDUCE
    if o.b1 >= 0:
        moves |= <uint32_t>1 << SHIFT
        if o.s1 > o.r1 and o.s1 > o.r2 and (o.r1 < 0 or o.r2 >= 0 or o.s1 > c.own[LOCK]):
            if o.s1 > 0 and o.head_s1 < 0 and o.head_b1 < 0:
                moves |= <uint32_t>1 << LEFT_ARC
            if o.b1 > 0 and o.head_b1 < 0 and o.head_s1 < o.s1:
                moves |= <uint32_t>1 << RIGHT_ARC
        if o.b1 > c.own[LAST] and o.r2 < 0:
            moves |= <uint32_t>1 << STORE_NONE
            if o.r1 > 0 and a.cells[c.reg[0]].head < 0:
                moves |= <uint32_t>1 << STORE_LEFT
            if o.r1 >= 0 and o.head_b1 < 0 and c.own[RHO] != o.b1:
                moves |= <uint32_t>1 << STORE_RIGHT
    if o.r1 < 0:
        return moves
    if ((o.r2 >= 0 or o.b1 < 0) and o.s2 < o.r1 and not (o.r1 < o.s1 < o.r2)
            and (not c.own_flags & COVERED_1 or a.cells[c.reg[0]].head >= 0)
            and (not c.own_flags & COVERED_2 or a.cells[c.reg[1]].head >= 0)):
        moves |= <uint32_t>1 << CLEAR
    if o.s1 < 0 or (o.r2 >= 0 and o.s2 > o.r2):
        return moves
    for k in range(2):
        if c.reg[k] >= 0 and (o.s1 > c.own[LAST] or (k == 0 and not c.own_flags & COVERED_1)):
            if may_head_stack(a, c, &o, k):
                moves |= <uint32_t>1 << (R1_TO_STACK + k)
            if may_head_register(a, c, &o, k):
                moves |= <uint32_t>1 << (R1_TO_REGISTER + k)
    return moves


cdef inline bint may_head_stack(const Arena* a, const State* c, const Operands* o, int32_t k) noexcept nogil:
    """Rk -> s1: T3, no second head, no cycle."""
    cdef int32_t r = o.r2 if k else o.r1
    cdef int32_t other = o.r1 if k else o.r2
    if o.s1 == 0 or o.head_s1 >= 0:
        return False
    if other >= 0 and a.cells[c.reg[1 - k]].head == o.s1 and between(r, o.s1, other):
        return False
    return c.own[RHO + k] != (LEFT if o.s1 < o.r1 else o.s1)


cdef inline bint may_head_register(const Arena* a, const State* c, const Operands* o, int32_t k) noexcept nogil:
    """s1 -> Rk: T3, no second head, no cycle."""
    cdef int32_t r = o.r2 if k else o.r1
    if r == 0 or a.cells[c.reg[k]].head >= 0 or (o.head_s1 >= 0 and between(o.head_s1, o.s1, r)):
        return False
    if o.s1 < o.r1:
        return o.head_s1 < o.s1
    return component(a, c) != r


cdef inline void replace(State* c, int32_t root, int32_t by) noexcept nogil:
    """The component with this root has been attached to the one with the other."""
    if c.own[RHO] == root:
        c.own[RHO] = by
    if c.own[RHO + 1] == root:
        c.own[RHO + 1] = by


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
    elif move <= STORE_RIGHT:
        store(a, c, move, label)
    elif move == CLEAR:
        clear(a, c)
    elif move <= R2_TO_STACK:
        to_stack(spec, a, c, move - R1_TO_STACK, label)
    else:
        to_register(spec, a, c, move - R1_TO_REGISTER, label)


cdef inline void store(Arena* a, State* c, int32_t move, int32_t label) noexcept nogil:
    cdef int32_t k = c.reg[0] >= 0
    cdef int32_t b = take_front(a, c)
    cdef int32_t r
    a.cells[b].below = NONE
    c.reg[k] = b
    c.own[RHO + k] = word_of(a, b)
    if k:
        c.own[LOCK] = NONE
    if move == STORE_LEFT:
        r = own_register(a, c, 0)
        connect(a, c, b, r, label)
        replace(c, word_of(a, r), word_of(a, b))
    elif move == STORE_RIGHT:
        r = own_register(a, c, 0)
        connect(a, c, r, b, label)
        replace(c, word_of(a, b), c.own[RHO])


cdef inline void clear(Arena* a, State* c) noexcept nogil:
    cdef int32_t kept[3]
    cdef int32_t n_kept = 0, k, cell, end = front(a, c), s = c.stack[0]
    end = word_of(a, end) if end >= 0 else a.n + 1
    # The stack top is left of R1 or right of R2.
    if s >= 0:
        pop(a, c)
        if word_of(a, s) < word_of(a, c.reg[0]):
            kept[0] = s
            n_kept = 1
    for k in range(2):
        if c.reg[k] >= 0 and not c.own_flags >> k & 1:
            kept[n_kept] = c.reg[k]
            n_kept += 1
    if s >= 0 and word_of(a, s) > word_of(a, c.reg[0]):
        kept[n_kept] = s
        n_kept += 1
    # The word next to the buffer returns to it, covered or not, unless it is R1.
    cell = NONE
    if s >= 0 and word_of(a, s) == end - 1:
        cell = s
    elif c.reg[1] >= 0 and word_of(a, c.reg[1]) == end - 1:
        cell = c.reg[1]
    for k in range(n_kept):
        c.own[LAST] = word_of(a, kept[k])
        if kept[k] != cell:
            push(a, c, own(a, kept[k]))
    if cell >= 0:
        c.own[LAST] = word_of(a, cell)
        unshift(a, c, cell)
    c.reg[0] = c.reg[1] = c.own[RHO] = c.own[RHO + 1] = c.own[LOCK] = NONE
    c.own_flags = 0


cdef inline void to_stack(const Spec* spec, Arena* a, State* c, int32_t k, int32_t label) noexcept nogil:
    cdef int32_t r = own_register(a, c, k)
    cdef int32_t s = c.stack[0]
    cdef int32_t word = word_of(a, s)
    span(spec, a, c, k)
    replace(c, LEFT if word < word_of(a, c.reg[0]) else word, c.own[RHO + k])
    if word < word_of(a, r):
        pop(a, c)
        attach_leaving(a, s, r, label)
    else:
        s = own_top(a, c)
        attach(a, s, r, label)
        a.cells[s].own[BASE] = BY_R2 if k else BY_R1
    adopt(a, c, r, word, label)


cdef inline void to_register(const Spec* spec, Arena* a, State* c, int32_t k, int32_t label) noexcept nogil:
    cdef int32_t r = own_register(a, c, k)
    cdef int32_t s
    span(spec, a, c, k)
    replace(c, word_of(a, r), component(a, c))
    s = own_top(a, c)
    connect(a, c, s, r, label)


cdef inline void span(const Spec* spec, const Arena* a, State* c, int32_t k) noexcept nogil:
    """Notes what an arc between the stack top and Rk is going to span."""
    cdef int32_t s1 = word_of(a, c.stack[0]), s2 = word_of(a, a.cells[c.stack[0]].below)
    cdef int32_t r1 = word_of(a, c.reg[0])
    if k == 1:
        if s1 < r1:
            c.own_flags |= COVERED_1
    elif c.reg[1] >= 0:
        if s1 > word_of(a, c.reg[1]):
            c.own_flags |= COVERED_2
    elif r1 < s1 and r1 < s2 and s2 > c.own[LOCK] and not spec.options & PRINTED:
        c.own[LOCK] = s2


cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    return c.reg[0] < 0 and front(a, c) < 0


cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil:
    if move == LEFT_ARC:
        head[0], dependent[0] = front(a, c), c.stack[0]
    elif move == RIGHT_ARC:
        head[0], dependent[0] = c.stack[0], front(a, c)
    elif move == STORE_LEFT:
        head[0], dependent[0] = front(a, c), c.reg[0]
    elif move == STORE_RIGHT:
        head[0], dependent[0] = c.reg[0], front(a, c)
    elif move <= R2_TO_STACK:
        head[0], dependent[0] = c.reg[move - R1_TO_STACK], c.stack[0]
    else:
        head[0], dependent[0] = c.stack[0], c.reg[move - R1_TO_REGISTER]


cdef uint32_t DRAWING = ((1 << LEFT_ARC) | (1 << RIGHT_ARC) | (1 << STORE_LEFT) | (1 << STORE_RIGHT)
                         | (1 << R1_TO_STACK) | (1 << R2_TO_STACK) | (1 << R1_TO_REGISTER) | (1 << R2_TO_REGISTER))
cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=DRAWING, drawing=DRAWING, leftward=(1 << LEFT_ARC) | (1 << STORE_LEFT),
    traits=ROOT_IN_BUFFER, n_stacks=1, cells_per_move=3, options=0, data=NULL, start=start, legal=legal, apply=apply,
    is_final=is_final, arc=arc)

MOVES = (
    "SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "STORE(none)", "STORE(left)", "STORE(right)", "CLEAR",
    "REGISTER(1,to-stack)", "REGISTER(2,to-stack)", "REGISTER(1,to-register)", "REGISTER(2,to-register)")
SYSTEM = System.wrap(
    &SPEC, "two-registers", MOVES, "2-crossing-interval", None, ("registers", "covered", "lock", "survivor"))
