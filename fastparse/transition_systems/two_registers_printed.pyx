"""Two registers with the preconditions as printed: neither sound nor complete, for studies and tests only.

Differs from two_registers.pyx in what is legal:

    CLEAR                   may drop a covered register that has no head
    REGISTER(k, ...)        with R the rightmost filled register, the word below s is left of R (this stands for T2 and
                            the lock)
    REGISTER(k,to-register) the arc Rclose->s was not drawn
    REGISTER(k,to-stack)    the arc s->Rfar was not drawn

Rclose, Rfar are R1, R2 for s left of R1, else R2, R1. REDUCE has no printed condition; a head is required here too.

Words without head may disappear, so components cannot be known by their roots. Exact derivations and greedy search look
for cycles by following heads; beams use the constant-time test of two_registers.pyx, which may then refuse a harmless
arc in a configuration that leads to no tree anyway.

The static oracle has the rules of two_registers_oracle.pyx, with the moves that are legal here. It matters which valid
pair of an interval it chooses: where the derivation fails, it tries the next one for the leftmost interval that was not
finished. There is no dynamic oracle.
"""

from fastparse.transition_systems.two_registers import MOVES

from fastparse.machine.spec cimport ROOT_IN_BUFFER, Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.machine.system cimport System
from fastparse.transition_systems.oracle cimport Gold, StaticOracle
from fastparse.transition_systems.two_registers cimport (
    CLEAR, COVERED_1, LAST, LEFT, LEFT_ARC, N_MOVES, Operands, PRINTED, R1_TO_REGISTER, R1_TO_STACK, R2_TO_REGISTER,
    R2_TO_STACK, REDUCE, RHO, RIGHT_ARC, SHIFT, STORE_LEFT, STORE_NONE, STORE_RIGHT, apply, arc, component, is_final,
    look, start)
from fastparse.transition_systems.two_registers_oracle cimport (
    A, BEGIN, N_PAIRS, N_SCRATCH, PAIR, PENDING, next_move, prepare, take_pairs)
from fastparse.trees.crossing cimport MAX_PAIRS


cdef uint32_t legal(const Spec* spec, const Arena* a, const State* c) noexcept nogil:
    cdef Operands o
    cdef uint32_t moves = 0
    cdef int32_t k, close, far, r
    look(a, c, &o)
    if o.head_s1 >= 0:
        moves |= <uint32_t>1 << REDUCE
    if o.b1 >= 0:
        moves |= <uint32_t>1 << SHIFT
        if o.s1 >= 0 and o.s1 > o.r1 and o.s1 > o.r2:
            if o.s1 > 0 and o.head_s1 < 0 and not dominates(a, o.s1, o.b1, o.head_b1 >= 0):
                moves |= <uint32_t>1 << LEFT_ARC
            if o.b1 > 0 and o.head_b1 < 0 and not dominates(a, o.b1, o.s1, o.head_s1 > o.s1):
                moves |= <uint32_t>1 << RIGHT_ARC
        if o.b1 > c.own[LAST] and o.r2 < 0:
            moves |= <uint32_t>1 << STORE_NONE
            if o.r1 > 0 and a.cells[c.reg[0]].head < 0 and not dominates(a, o.r1, o.b1, False):
                moves |= <uint32_t>1 << STORE_LEFT
            if o.r1 >= 0 and o.head_b1 < 0 and not dominates(a, o.b1, o.r1, c.own[RHO] == o.b1):
                moves |= <uint32_t>1 << STORE_RIGHT
    if o.r1 < 0:
        return moves
    if (o.r2 >= 0 or o.b1 < 0) and o.s2 < o.r1 and not (o.r1 < o.s1 < o.r2):
        moves |= <uint32_t>1 << CLEAR
    if o.s1 < 0 or o.s2 >= (o.r2 if o.r2 >= 0 else o.r1):
        return moves
    close = c.reg[0] if o.s1 < o.r1 else c.reg[1]
    far = c.reg[1] if o.s1 < o.r1 else c.reg[0]
    for k in range(2):
        if c.reg[k] < 0 or not (o.s1 > c.own[LAST] or (k == 0 and not c.own_flags & COVERED_1)):
            continue
        r = o.r2 if k else o.r1
        if (o.s1 > 0 and o.head_s1 < 0 and (far < 0 or a.cells[far].head != o.s1)
                and not dominates(a, o.s1, r, c.own[RHO + k] == (LEFT if o.s1 < o.r1 else o.s1))):
            moves |= <uint32_t>1 << (R1_TO_STACK + k)
        if (r > 0 and a.cells[c.reg[k]].head < 0 and (close < 0 or o.head_s1 != a.cells[close].word)
                and not dominates(a, r, o.s1, o.head_s1 > o.s1 if o.s1 < o.r1 else component(a, c) == r)):
            moves |= <uint32_t>1 << (R1_TO_REGISTER + k)
    return moves


cdef inline bint dominates(const Arena* a, int32_t ancestor, int32_t word, bint presumably) noexcept nogil:
    """Whether heads lead from the word to the ancestor; where heads of popped words are not kept, the presumption."""
    if not a.exclusive:
        return presumably
    while word >= 0 and word != ancestor:
        word = a.cells[word].head
    return word >= 0


cdef uint32_t DRAWING = ((1 << LEFT_ARC) | (1 << RIGHT_ARC) | (1 << STORE_LEFT) | (1 << STORE_RIGHT)
                         | (1 << R1_TO_STACK) | (1 << R2_TO_STACK) | (1 << R1_TO_REGISTER) | (1 << R2_TO_REGISTER))
cdef Spec SPEC = Spec(
    n_moves=N_MOVES, labelled=DRAWING, drawing=DRAWING, leftward=(1 << LEFT_ARC) | (1 << STORE_LEFT),
    traits=ROOT_IN_BUFFER, n_stacks=1, cells_per_move=3, options=PRINTED, data=NULL, start=start, legal=legal,
    apply=apply, is_final=is_final, arc=arc)

SYSTEM = System.wrap(&SPEC, "two-registers/printed", MOVES, "", None, ("registers", "covered", "survivor"))


# ── the static oracle ──

cdef bint retry(const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t i = 0
    if gold.choices != NULL:
        return False
    while gold.scratch[BEGIN][i] >= 0:
        if gold.scratch[PENDING][gold.scratch[A][MAX_PAIRS * i + gold.scratch[PAIR][i]]] > 0:
            gold.scratch[PAIR][i] += 1
            if gold.scratch[PAIR][i] == gold.scratch[N_PAIRS][i]:
                return False
            take_pairs(gold)
            return True
        i += 1
    return False


ORACLE = StaticOracle.wrap(next_move, prepare, N_SCRATCH, True, (), NULL, retry)
