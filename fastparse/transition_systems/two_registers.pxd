"""What the two-registers system and its printed form share: moves, operands, effects."""

from fastparse.machine.operations cimport front, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Cell, NONE, State, int32_t, uint32_t

cdef enum:
    SHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, STORE_NONE, STORE_LEFT, STORE_RIGHT, CLEAR
    R1_TO_STACK, R2_TO_STACK, R1_TO_REGISTER, R2_TO_REGISTER, N_MOVES

cdef enum:
    # Spec.options
    PRINTED = 1
    # State.own
    RHO = 0                     # and RHO + 1: component roots of the registers
    LAST = 2                    # rightmost survivor of the last CLEAR
    LOCK = 3                    # rightmost stack word spanned by an early arc of R1
    # State.own_flags: which registers are spanned by an arc
    COVERED_1 = 1
    COVERED_2 = 2
    # Cell.own
    BASE = 0                    # the bottom of the chain of RIGHT-ARCs that carries a stack word right of R1
    # BASE: the component hangs from a register; RHO: it hangs from a stack word left of R1.
    BY_R1 = -2
    BY_R2 = -3
    LEFT = -4

cdef struct Operands:
    # Words; NONE where missing. Registers are left of the buffer, and R1 left of R2.
    int32_t s1
    int32_t s2
    int32_t b1
    int32_t r1
    int32_t r2
    int32_t head_s1
    int32_t head_b1

cdef inline void look(const Arena* a, const State* c, Operands* o) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c)
    o.s1 = o.s2 = o.b1 = o.head_s1 = o.head_b1 = NONE
    if s >= 0:
        o.s1 = a.cells[s].word
        o.head_s1 = a.cells[s].head
        o.s2 = word_of(a, a.cells[s].below)
    if b >= 0:
        o.b1 = a.cells[b].word
        o.head_b1 = a.cells[b].head
    o.r1 = word_of(a, c.reg[0])
    o.r2 = word_of(a, c.reg[1])

cdef inline int32_t component(const Arena* a, const State* c) noexcept nogil:
    """The root of the component of the stack top, seen from filled registers."""
    cdef const Cell* s = &a.cells[c.stack[0]]
    if s.word < a.cells[c.reg[0]].word:
        return LEFT
    if s.own[BASE] == BY_R1:
        return c.own[RHO]
    if s.own[BASE] == BY_R2:
        return c.own[RHO + 1]
    return s.own[BASE]

cdef inline bint between(int32_t x, int32_t u, int32_t v) noexcept nogil:
    return u < x < v or v < x < u

cdef inline void start(const Spec* spec, Arena* a, State* c) noexcept nogil:
    c.own[RHO] = c.own[RHO + 1] = c.own[LAST] = c.own[LOCK] = NONE

cdef void apply(const Spec* spec, Arena* a, State* c, int32_t move, int32_t label) noexcept nogil
cdef bint is_final(const Spec* spec, const Arena* a, const State* c) noexcept nogil
cdef void arc(const Spec* spec, const Arena* a, const State* c, int32_t move,
              int32_t* head, int32_t* dependent) noexcept nogil
