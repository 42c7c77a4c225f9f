"""Whether learning follows a mistake: random numbers that depend on a seed alone (xorshift)."""

from libc.stdint cimport uint64_t

cdef struct Chance:
    uint64_t random             # never 0
    uint64_t threshold          # the probability, times 2**32


cdef inline Chance chance(double probability, uint64_t seed) noexcept nogil:
    return Chance(random=seed * <uint64_t>0x9E3779B97F4A7C15ULL + 1, threshold=<uint64_t>(probability * 4294967296.0))


cdef inline bint happens(Chance* c) noexcept nogil:
    """Draws: true with the probability."""
    c.random ^= c.random << 13
    c.random ^= c.random >> 7
    c.random ^= c.random << 17
    return c.random >> 32 < c.threshold
