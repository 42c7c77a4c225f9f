"""Random numbers that depend on a seed alone (xorshift), and events that happen with a probability."""

from libc.stdint cimport uint64_t

cdef struct Chance:
    uint64_t random             # never 0
    uint64_t threshold          # the probability, times 2**32


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
