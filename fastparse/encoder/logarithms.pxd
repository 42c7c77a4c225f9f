"""Logarithms of probabilities in integers, so that beams add up what does not depend on the machine.

A probability is exp(value / LOG_UNIT). Sums of probabilities are folded from the left by max(a, b) + TABLE[|a - b|].
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from fastparse.encoder.encoder cimport LOG_TABLE, Choice, EncoderC

cdef enum:
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
    cdef double exact = max(<double>-LOG_MOST, min(<double>LOG_MOST, score * c.log_factor + 0.5))
    cdef int64_t whole = <int64_t>exact
    return <int32_t>(whole - (<double>whole > exact))   # rounded down; there is no instruction for it everywhere

cdef inline int32_t best_among(const EncoderC* e, const Choice* c, const int32_t* scores,
                               const uint8_t* allowed) noexcept nogil:
    """The best output among those that `allowed` [n_outputs] is not 0 for, the lower of equals; -1 if there is none."""
    cdef int32_t best = e.form.largest(scores, c.n_outputs), m
    if allowed[best]:                       # nearly always
        return best
    best = -1
    for m in range(c.n_outputs):
        if allowed[m] and (best < 0 or scores[m] > scores[best]):
            best = m
    return best

cdef inline int32_t log_of(const Choice* c, const int32_t* scores, const uint8_t* allowed, int32_t best) noexcept nogil:
    """Of the best of the allowed outputs.

    Outputs that are `log_span` below the best are taken to be impossible: few are left to fold.
    """
    cdef const int32_t* table = log_table()
    cdef int32_t m, odds, total = 0
    cdef int64_t least = scores[best] - c.log_span
    cdef bint first = True
    for m in range(c.n_outputs):
        if scores[m] > least and allowed[m]:
            odds = log_odds(c, scores[m])
            total = odds if first else log_sum(total, odds, table)
            first = False
    return log_odds(c, scores[best]) - total

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
