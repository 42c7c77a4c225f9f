"""What the three-registers system and its oracle share."""

from fastparse.machine.state cimport int32_t

cdef enum:
    REGISTERS = 3
    SHIFT = 0
    REDUCE, LEFT_ARC, RIGHT_ARC, STORE, CLEAR
    TO_STACK                    # and the next two: an arc from R1, R2, R3 to the stack top
    TO_REGISTER = TO_STACK + REGISTERS      # and the next two: from the stack top to R1, R2, R3
    BETWEEN = TO_REGISTER + REGISTERS       # and the next five: R1->R2, R1->R3, R2->R1, R2->R3, R3->R1, R3->R2
    N_MOVES = BETWEEN + REGISTERS * (REGISTERS - 1)

cdef enum:
    # State.own; RHO is that of R1 and R2, that of R3 lies behind the others, which are those of two registers.
    RHO = 0
    LAST = 2                    # rightmost survivor of the last CLEAR
    LOCK = 3                    # rightmost stack word spanned by an arc of a register, while one is empty
    RHO_3 = 4
    # State.own_flags: bit k: register k is spanned by an arc
    # Cell.own
    BASE = 0                    # the bottom of the chain of RIGHT-ARCs that carries a stack word right of R1
    LOWEST = 0                  # of a register: its arcs reach no further, on the left
    HIGHEST = 1                 # and on the right
    # BASE: BY - k: the component hangs from register k; RHO: LEFT: it hangs from a stack word left of R1.
    BY = -2
    LEFT = BY - REGISTERS


cdef inline int32_t head_of_pair(int32_t move) noexcept nogil:
    """The register, from 0 on, that an arc between registers leads from."""
    return (move - BETWEEN) >> 1


cdef inline int32_t dependent_of_pair(int32_t move) noexcept nogil:
    """The register that it leads to: one of the other two, in order."""
    cdef int32_t head = (move - BETWEEN) >> 1, other = (move - BETWEEN) & 1
    return other + (other >= head)
