"""Fewest SWAPs: a search over where to swap, by iterative deepening on the number of SWAPs (Korf, 1985: IDA*).

An arrangement is the words that have no head yet, in their order, and how many of them are on the stack. Arcs are
drawn as soon as they can be: from any derivation that waits the dependent can be left out, and the others swap as they
did, so that nothing is lost. Choices are left where both SWAP and SHIFT can be made.

A bound from below: two arcs that cross, a-c and b-d with a < b < c < d in the arrangement, can only be drawn once a
word of one has been swapped with a word of the other; each of the pairs ab, bc, cd and ad is swapped at most once, in
the order of the sentence. Crossings no two of which share such a pair need a SWAP each, and if no pair of a crossing
can be swapped any more, there is no way on.
"""

from fastparse.machine.state cimport int32_t
from fastparse.oracles.oracle cimport Gold

cdef struct Plan:
    # Gold.extra: the choices, in the order in which they come, and room to find them.
    int32_t n
    int32_t at                  # the next one
    bint found                  # else the rule that was the limit has no more swaps, or nothing is known
    signed char* choices        # [n] whether to SWAP

# Looks for a derivation with fewer SWAPs than the rule that swaps where order says so and, lazily, component does not
# forbid it. READY, or NO_MEMORY; sets Gold.extra to a Plan, and Gold.fell_back if the search was given up.
cdef int find_fewest_swaps(Gold* gold, const int32_t* order, const int32_t* component) noexcept nogil
cdef void free_plan(Gold* gold) noexcept nogil
