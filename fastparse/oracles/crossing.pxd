"""Crossing intervals of a gold tree and the pairs of words that all their crossed arcs touch. All linear."""

from fastparse.machine.state cimport int32_t
from fastparse.oracles.oracle cimport Gold

cdef enum:
    NO_PAIR = -1

# Sets crossed[w] for each word whose arc to its head crosses another one; returns how many do. work, more: [n + 2].
cdef int32_t crossed_arcs(const Gold* gold, int32_t* crossed, int32_t* work, int32_t* more) noexcept nogil
# The leftmost crossing interval that starts at `start` or later; False when there is none.
cdef bint crossing_interval(const Gold* gold, const int32_t* crossed, int32_t start, int32_t* left,
                            int32_t* right) noexcept nogil
# Whether every crossed arc of the interval touches a or b, and so does every word with a child beyond its own head.
cdef bint pair_is_valid(const Gold* gold, const int32_t* crossed, int32_t left, int32_t right, int32_t a,
                        int32_t b) noexcept nogil
# The smallest valid pair of an interval above the pair given, which it replaces; or NO_PAIR.
cdef int valid_pair(const Gold* gold, const int32_t* crossed, int32_t left, int32_t right, int32_t* pair) noexcept nogil
