"""A table of keys that is built once: whoever made the keys, building it takes time in proportion to their number.
And the distinct triples of three columns of ids: what many words share needs to be computed once."""

import numpy

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.corpus.strings.hashing cimport fold

cdef enum:
    MOST_STEPS = 32             # on average, for a key to find its slot; there are not even two by chance


cdef class Index:
    def __cinit__(self, const uint64_t[::1] keys not None, const int32_t[::1] values=None):
        """Keys are distinct; without values each is its place."""
        cdef uint64_t size = 16, at
        cdef int64_t i, n = keys.shape[0], n_steps = 0
        if values is not None and values.shape[0] != n:
            raise ValueError(f"{values.shape[0]} values for {n} keys")
        while size < 2 * <uint64_t>n:
            size *= 2
        self.mask = size - 1
        self.slots = <Slot*>malloc(size * sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError(f"cannot allocate a table of {size} keys")
        memset(self.slots, 0xFF, size * sizeof(Slot))
        for i in range(n):
            at = fold(0, keys[i]) & self.mask
            while self.slots[at].value >= 0:
                at = (at + 1) & self.mask
                n_steps += 1
            if n_steps > MOST_STEPS * (i + 16):
                raise ValueError(f"the {n} keys are made to collide")
            self.slots[at].key = keys[i]
            self.slots[at].value = <int32_t>i if values is None else values[i]

    def __dealloc__(self):
        free(self.slots)

    cdef int32_t get(self, uint64_t key) noexcept nogil:
        """The value of a key, or -1."""
        cdef uint64_t at = fold(0, key) & self.mask
        while self.slots[at].value >= 0:
            if self.slots[at].key == key:
                return self.slots[at].value
            at = (at + 1) & self.mask
        return -1


cdef struct Triple:
    int32_t a, b, c
    int32_t id                  # -1: the slot is free


cdef inline Triple* slot_of(Triple* slots, uint64_t mask, int32_t a, int32_t b, int32_t c) noexcept nogil:
    """The slot of a triple, or the free one where it goes."""
    cdef uint64_t at = fold(fold(1, <uint64_t>a << 32 | <uint32_t>b), <uint32_t>c) & mask
    while slots[at].id >= 0 and not (slots[at].a == a and slots[at].b == b and slots[at].c == c):
        at = (at + 1) & mask
    return slots + at


cdef Triple* emptied(uint64_t size) noexcept nogil:
    cdef Triple* slots = <Triple*>malloc(size * sizeof(Triple))
    if slots != NULL:
        memset(slots, 0xFF, size * sizeof(Triple))
    return slots


def distinct_triples(const int32_t[::1] a not None, const int32_t[::1] b not None, const int32_t[::1] c not None):
    """Number the distinct triples (a[i], b[i], c[i]) in order of appearance.

    Returns:
        The number of each triple, and where each distinct one first appears (both int32).
    """
    cdef int64_t n = a.shape[0], i
    cdef int32_t n_found = 0
    cdef uint64_t size = 1024, k
    cdef Triple* slots = emptied(size)
    cdef Triple* larger
    cdef Triple* slot
    if b.shape[0] != n or c.shape[0] != n:
        free(slots)
        raise ValueError(f"columns of {n}, {b.shape[0]} and {c.shape[0]} ids")
    numbers_, first_ = numpy.empty(n, numpy.int32), numpy.empty(n, numpy.int32)
    cdef int32_t[::1] numbers = numbers_, first = first_
    with nogil:
        for i in range(n):
            if slots == NULL:
                break
            slot = slot_of(slots, size - 1, a[i], b[i], c[i])
            if slot.id < 0:
                slot.a, slot.b, slot.c, slot.id = a[i], b[i], c[i], n_found
                first[n_found] = <int32_t>i
                n_found += 1
            numbers[i] = slot.id
            if 2 * <uint64_t>n_found > size:
                larger = emptied(2 * size)
                if larger != NULL:
                    for k in range(size):
                        if slots[k].id >= 0:
                            slot_of(larger, 2 * size - 1, slots[k].a, slots[k].b, slots[k].c)[0] = slots[k]
                free(slots)
                slots = larger
                size *= 2
    if slots == NULL:
        raise MemoryError("cannot allocate the table of distinct triples")
    free(slots)
    return numbers_, first_[:n_found].copy()
