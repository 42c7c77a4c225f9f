"""A 64-bit hash of byte strings that never changes: model files depend on its values.

The string is read in chunks of eight bytes, little-endian on every machine, the last one padded with zeros (the length
is part of the start value, so that padding is not ambiguous). Each chunk is folded in by one multiplication and one
shift; three shifts and two multiplications at the end let every input bit reach every output bit.

    h = START + LENGTH * size
    h = (h ^ chunk) * FOLD;  h ^= h >> 32                                for each chunk
    h ^= h >> 29;  h *= FINISH_1;  h ^= h >> 32;  h *= FINISH_2;  h ^= h >> 29
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* `size` bytes (at most 8) as a little-endian number; reads no byte outside them. */
    static inline uint64_t fastparse_load(const unsigned char *at, Py_ssize_t size) {
        uint64_t word = 0;
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ || defined(_MSC_VER)
        if (size == 8) {
            memcpy(&word, at, 8);
            return word;
        }
        if (size >= 4) {  /* two overlapping loads instead of a loop */
            uint32_t low, high;
            memcpy(&low, at, 4);
            memcpy(&high, at + size - 4, 4);
            return (uint64_t)low | (uint64_t)high << (8 * (size - 4));
        }
        if (size > 0)
            return at[0] | (uint64_t)at[size >> 1] << (8 * (size >> 1)) | (uint64_t)at[size - 1] << (8 * (size - 1));
        return 0;
    #else
        Py_ssize_t i;
        for (i = size - 1; i >= 0; i--)
            word = word << 8 | at[i];
        return word;
    #endif
    }
    """
    uint64_t load "fastparse_load"(const unsigned char* at, Py_ssize_t size) noexcept nogil

cdef enum:
    CHUNK = 8

cdef inline uint64_t fold(uint64_t h, uint64_t chunk) noexcept nogil:
    h = (h ^ chunk) * <uint64_t>0xD6E8FEB86659FD93
    return h ^ (h >> 32)

cdef inline uint64_t hash_bytes(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """The hash of `size` bytes at `data`; any length, any bytes."""
    cdef uint64_t h = <uint64_t>0x2545F4914F6CDD1D + <uint64_t>0x9E3779B97F4A7C15 * <uint64_t>size
    while size >= CHUNK:
        h = fold(h, load(data, CHUNK))
        data += CHUNK
        size -= CHUNK
    if size > 0:
        h = fold(h, load(data, size))
    h ^= h >> 29
    h *= <uint64_t>0xBF58476D1CE4E5B9
    h ^= h >> 32
    h *= <uint64_t>0x94D049BB133111EB
    return h ^ (h >> 29)
