"""Learning and counting all features of a plan at once."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.features.plan cimport PlanC, SentenceRows, Walk, next_keys, walk_over
from fastparse.machine.state cimport Cell
from fastparse.weights.learning cimport LearningTable


cdef inline void reward(LearningTable table, const PlanC* plan, const SentenceRows* s, const Cell* const* at,
                        uint64_t* keys, int32_t cls, int32_t delta, int64_t clock) noexcept nogil:
    """Adds delta to the weight that each feature has for a class."""
    cdef Walk walk = walk_over(plan, s, at)
    cdef int32_t n = next_keys(&walk, keys)
    while n >= 0:
        table.update(keys, n, cls, delta, clock)
        n = next_keys(&walk, keys)


cdef inline void count(LearningTable table, const PlanC* plan, const SentenceRows* s, const Cell* const* at,
                       uint64_t* keys) noexcept nogil:
    """Counts an occurrence of each feature."""
    cdef Walk walk = walk_over(plan, s, at)
    cdef int32_t n = next_keys(&walk, keys)
    while n >= 0:
        table.count(keys, n)
        n = next_keys(&walk, keys)
