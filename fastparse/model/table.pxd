"""What search asks of weights: the sum of the rows of some features."""

from libc.stdint cimport int32_t, uint64_t

cdef struct Table:
    int32_t width               # classes; sums have room for this many, rounded up to a multiple of 16
    void* data
    # out[class] += weight, for each feature key and each class the feature scores
    void (*add)(const void* data, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil
