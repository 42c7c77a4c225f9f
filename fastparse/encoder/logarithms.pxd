"""Logarithms of probabilities in integers, so that beams add up what does not depend on the machine.

A probability is exp(value / LOG_UNIT). Sums of probabilities are folded from the left by max(a, b) + TABLE[|a - b|].
"""

from libc.math cimport floor
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from fastparse.encoder.encoder cimport Choice

cdef enum:
    LOG_TABLE = 8192            # beyond it a smaller probability does not show
    LOG_MOST = 1 << 28          # no score is further from 0

cdef const int32_t* log_table() noexcept nogil

cdef inline int32_t log_sum(int32_t a, int32_t b, const int32_t* table) noexcept nogil:
    cdef int64_t apart = <int64_t>a - b
    cdef int32_t more = a
    if apart < 0:
        apart, more = -apart, b
    return more + table[apart] if apart < LOG_TABLE else more

cdef inline int32_t log_odds(const Choice* c, int32_t score) noexcept nogil:
    """A score in LOG_UNITs."""
    return <int32_t>max(-LOG_MOST, min(LOG_MOST, floor(score * c.log_factor + 0.5)))

cdef inline int32_t log_of_best(const Choice* c, const int32_t* scores, const uint8_t* allowed,
                                int32_t* best) noexcept nogil:
    """Of the best output among those that `allowed` [n_outputs] is not 0 for, and its number; -1 if there is none."""
    cdef const int32_t* table = log_table()
    cdef int32_t m, odds, total = 0
    best[0] = -1
    for m in range(c.n_outputs):
        if allowed[m]:
            odds = log_odds(c, scores[m])
            total = odds if best[0] < 0 else log_sum(total, odds, table)
            if best[0] < 0 or scores[m] > scores[best[0]]:
                best[0] = m
    return log_odds(c, scores[best[0]]) - total if best[0] >= 0 else 0

cdef inline void log_probabilities(const Choice* c, const int32_t* scores, uint32_t legal, int32_t* out) noexcept nogil:
    """Of the moves whose bits are set in `legal`, as if there were no others; the rest of `out` [n_outputs] stays."""
    cdef const int32_t* table = log_table()
    cdef int32_t m, total = 0
    cdef bint first = True
    for m in range(c.n_outputs):
        if legal >> m & 1:
            out[m] = log_odds(c, scores[m])
            total = out[m] if first else log_sum(total, out[m], table)
            first = False
    for m in range(c.n_outputs):
        if legal >> m & 1:
            out[m] -= total
