"""What perceptrons learn with: averages of weights, and chance.

A weight is averaged over all steps, and nothing is done at the steps in between: beside it stands its *drift*, the sum
of all changes, each times the number of the step it was made at.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

cdef struct Chance:
    # Random numbers that depend on a seed alone (xorshift), and events that happen with a probability.
    uint64_t random             # never 0
    uint64_t threshold          # the probability, times 2**32


cdef inline void change(int32_t* weight, int64_t* drift, int32_t by, int64_t step) noexcept nogil:
    """Change a weight at a step."""
    weight[0] += by
    drift[0] += by * step


cdef inline double average(int32_t weight, int64_t drift, int64_t steps) noexcept nogil:
    """The mean of a weight over all steps; at least one."""
    return weight - drift / <double>steps


cdef inline uint64_t next_random(uint64_t* random) noexcept nogil:
    """The next number; the one before is not 0, nor is it."""
    random[0] ^= random[0] << 13
    random[0] ^= random[0] >> 7
    random[0] ^= random[0] << 17
    return random[0]


cdef inline Chance chance(double probability, uint64_t seed) noexcept nogil:
    return Chance(random=seed * <uint64_t>0x9E3779B97F4A7C15ULL + 1, threshold=<uint64_t>(probability * 4294967296.0))


cdef inline bint happens(Chance* c) noexcept nogil:
    """Draws: true with the probability."""
    return next_random(&c.random) >> 32 < c.threshold
