"""Plain loops over float32 that several modules share, and random bits that follow from a seed and a place alone."""

from libc.stdint cimport uint64_t


cdef inline uint64_t bits_at(uint64_t seed, uint64_t place) noexcept nogil:
    """64 random bits: the same for the same seed and place, in whatever order they are asked for."""
    cdef uint64_t x = seed + (place + 1) * <uint64_t>0x9E3779B97F4A7C15ULL
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EBULL
    return x ^ (x >> 31)


cdef inline int threshold_of(double rate) noexcept nogil:
    """Bytes of random bits below this are dropped."""
    return <int>(rate * 256 + 0.5)


cdef inline float dot(const float* a, const float* b, int n) noexcept nogil:
    """Of n numbers, n a multiple of 8: eight sums side by side, so that the compiler may use vectors."""
    cdef float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0
    cdef int i
    for i in range(0, n, 8):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
        s4 += a[i + 4] * b[i + 4]
        s5 += a[i + 5] * b[i + 5]
        s6 += a[i + 6] * b[i + 6]
        s7 += a[i + 7] * b[i + 7]
    return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))


cdef inline void add_to(float* y, const float* x, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        y[i] += x[i]


cdef inline void add_scaled(float* y, float factor, const float* x, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        y[i] += factor * x[i]
