"""Sets of 64-bit keys: configurations that a search has been to."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef struct KeySet:
    # A set of 64-bit keys, none of which is 0.
    # All zero is an empty set.
    int32_t n
    int32_t capacity            # a power of two, or 0
    uint64_t* keys              # open addressing; 0 is free


cdef inline uint64_t key_set_place(const uint64_t* keys, int32_t capacity, uint64_t key) noexcept nogil:
    """Where a key is, or may be put."""
    cdef uint64_t at = key >> 7 & <uint64_t>(capacity - 1)
    while keys[at] != 0 and keys[at] != key:
        at = at + 1 & <uint64_t>(capacity - 1)
    return at


cdef inline bint key_set_has(const KeySet* keys, uint64_t key) noexcept nogil:
    return keys.n > 0 and keys.keys[key_set_place(keys.keys, keys.capacity, key)] == key


cdef inline int key_set_add(KeySet* keys, uint64_t key) noexcept nogil:
    """-1 when memory is short."""
    cdef uint64_t* larger
    cdef uint64_t at
    cdef int32_t k, capacity
    if 2 * keys.n >= keys.capacity:
        capacity = 2 * keys.capacity if keys.capacity else 1024
        larger = <uint64_t*>calloc(capacity, sizeof(uint64_t))
        if larger == NULL:
            return -1
        for k in range(keys.capacity):
            if keys.keys[k]:
                larger[key_set_place(larger, capacity, keys.keys[k])] = keys.keys[k]
        free(keys.keys)
        keys.keys, keys.capacity = larger, capacity
    at = key_set_place(keys.keys, keys.capacity, key)
    keys.n += keys.keys[at] == 0
    keys.keys[at] = key
    return 0


cdef inline void key_set_clear(KeySet* keys) noexcept nogil:
    """Empties the set and keeps its memory."""
    if keys.n:
        memset(keys.keys, 0, keys.capacity * sizeof(uint64_t))
        keys.n = 0


cdef inline void key_set_close(KeySet* keys) noexcept nogil:
    free(keys.keys)
    memset(keys, 0, sizeof(KeySet))
