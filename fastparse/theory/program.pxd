"""Composed systems as data: what the interpreter in program.pyx runs behind the same Spec as a hand-written system."""

from libc.stdint cimport uint8_t

from fastparse.machine.state cimport Arena, State, int32_t

cdef enum:
    # Facts about an address; those from JOINED on are about the word and its left neighbour.
    EXISTS = 1
    HEAD = 2
    IS_ROOT = 4
    JOINED = 8
    ARC_RIGHT = 16
    ARC_LEFT = 32
    REACH_RIGHT = 64
    REACH_LEFT = 128
    # The same facts are kept shifted to the right, with one stack only: in State.own_flags for the stack top and the
    # buffer front, in Cell.own for other neighbours.
    LINK_SHIFT = 3
    BELOW = 0                   # Cell.own: a word of the stack and the one below
    BEHIND = 1                  # Cell.own: a word that was put back into the buffer and the one behind
    # Addresses: S0 .. S15, B0 .. B15, and one for what is no word
    DEEPEST = 16
    FRONT = 16
    MACHINE = 32
    N_ADDRESSES = 33
    SWITCHED = 1                # fact about MACHINE: the last move switched; State.own_flags with several stacks

cdef enum:
    PUSH, UNSHIFT, POP, ARC_TO_LEFT, ARC_TO_RIGHT, SWITCH

cdef struct Operation:
    uint8_t code
    uint8_t argument            # SWITCH: which stack

cdef struct Test:
    # Holds when all required facts about the address hold and none of the forbidden ones.
    uint8_t address
    uint8_t required
    uint8_t forbidden

cdef struct Clause:
    int32_t first_test
    int32_t n_tests

cdef struct Move:
    int32_t first_operation
    int32_t n_operations
    int32_t first_clause        # the move is legal when all tests of one of its clauses hold
    int32_t n_clauses
    int32_t head                # addresses of the words the move joins, or NONE
    int32_t dependent
    int32_t first_pop           # in pops: addresses of the words that the move pops
    int32_t n_pops

cdef struct Program:
    int32_t n_moves
    int32_t depth               # S0 .. S(depth - 1) occur in tests
    int32_t width               # B0 .. B(width - 1) occur in tests
    uint8_t tested_links        # the facts about neighbours that occur in tests
    bint buffer_ends            # final exactly when the buffer is empty
    Move* moves                 # [n_moves + 1]  the last one has the clauses of final configurations, and no operations
    Operation* operations
    Clause* clauses
    Test* tests
    int32_t* pops

# The cell at an address, with one stack.
cdef int32_t cell_at(const Program* p, const Arena* a, const State* c, int32_t address) noexcept nogil
