"""From 64-bit keys to integers, by open addressing: what is looked up without making a string."""

from libc.stdint cimport int32_t, uint64_t

cdef struct Slot:
    uint64_t key
    int32_t value               # -1: the slot is free

cdef class Index:
    cdef Slot* slots            # [mask + 1]  owned; at most half of them are in use
    cdef uint64_t mask

    cdef int32_t get(self, uint64_t key) noexcept nogil
