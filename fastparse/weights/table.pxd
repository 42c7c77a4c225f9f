"""What search asks of weights: the sum of the rows of some features."""

from libc.stdint cimport int32_t, uint64_t

from fastparse.features.plan cimport PlanC, SentenceRows
from fastparse.features.walk cimport Walk, next_keys, walk_over
from fastparse.machine.state cimport Cell

cdef struct Table:
    int32_t width               # classes
    int32_t room                # sums that are written to: at least `width`, those behind it mean nothing
    void* data
    # out[class] += weight, for each feature key, at most MAX_KEYS, and each class the feature scores
    void (*add)(const void* data, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil
    # The same for many looks: sets out[i * stride ..] to the sums of the keys from ends[i - 1] to ends[i], at most
    # MAX_KEYS
    void (*add_jobs)(const void* data, const uint64_t* keys, const int32_t* ends, int32_t n_jobs, int32_t* out,
                     int32_t stride) noexcept nogil


cdef inline int32_t add_all(const Table* table, const PlanC* plan, const SentenceRows* sentence, const Cell* const* at,
                            uint64_t* keys, int32_t* out) noexcept nogil:
    """Adds the weights of all templates of a plan that have something to say; returns their number.

    `keys` has room for MAX_KEYS.
    """
    cdef Walk walk = walk_over(plan, sentence, at)
    cdef int32_t scored = 0, n = next_keys(&walk, keys)
    while n >= 0:
        table.add(table.data, keys, n, out)
        scored += n
        n = next_keys(&walk, keys)
    return scored
