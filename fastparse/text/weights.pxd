"""The weights of a yes-or-no decision: feature key -> small integer, in buckets of two.

A bucket is a 64-bit number of two slots; a slot has 16 bits of the key (zero: empty) and a signed weight of 16 bits.
Keys that do not find room are left out when the table is built, the smallest weights first.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef struct Weights:
    const uint64_t* buckets     # [mask + 1] borrowed from the array of a WeightTable
    uint64_t mask               # a power of two less one
    int32_t bias                # the sum without any feature

cdef inline uint64_t mix(uint64_t hash, uint64_t value) noexcept nogil:
    """One more value in a hash of 64 bits."""
    hash = (hash ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ (hash >> 29)

cdef inline uint64_t tag_of(uint64_t key) noexcept nogil:
    return (key >> 48) | 1

cdef inline int32_t weight_of(const Weights* w, uint64_t key) noexcept nogil:
    """Without branches: whether a feature is known is what nobody could foretell."""
    cdef uint64_t bucket = w.buckets[key & w.mask]
    cdef uint64_t tag = tag_of(key)
    cdef int32_t first = -<int32_t>((bucket & 0xFFFF) == tag), second = -<int32_t>(((bucket >> 32) & 0xFFFF) == tag)
    return (<int16_t>((bucket >> 16) & 0xFFFF) & first) | (<int16_t>(bucket >> 48) & second & ~first)

cdef inline int32_t added(const Weights* w, const uint64_t* keys, int32_t n, int32_t sum) noexcept nogil:
    """A sum with the weights of some more features."""
    cdef int32_t i
    for i in range(n):
        sum += weight_of(w, keys[i])
    return sum

cdef inline int32_t total(const Weights* w, const uint64_t* keys, int32_t n) noexcept nogil:
    return added(w, keys, n, w.bias)

cdef class WeightTable:
    cdef Weights w
    cdef readonly object buckets
