"""Weights while they are learnt: exact integers with the sums their averages need."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

from fastparse.weights.table cimport BaseTable, Table

cdef struct Feature:
    uint64_t key                # 0 in an empty slot
    uint32_t start              # first of its entries
    uint16_t n_entries
    uint16_t room               # entries allocated, a power of two

cdef struct Entry:
    int32_t weight
    int32_t cls

cdef struct Weights:
    int32_t width               # classes
    Feature* features           # [capacity]  open addressing, linear probing
    uint64_t mask               # capacity - 1
    int64_t n_features
    Entry* entries              # [entry_capacity]
    int64_t* drift              # [entry_capacity]  of the weight of each entry, see fastparse/weights/perceptron.pxd
    uint32_t n_used
    uint32_t entry_capacity
    uint32_t spare[17]          # free blocks of 2**i entries, linked through Entry.weight; 0 ends the list

cdef class LearningTable(BaseTable):
    cdef Weights w
    cdef int grow_for(self, int64_t features) except -1 nogil
    # For pruning: how often features occur. begin_counting, count each occurrence, occurrences(keys).
    cdef uint32_t* seen
    cdef void count(self, const uint64_t* keys, int32_t n) noexcept nogil
    cdef void update(self, const uint64_t* keys, int32_t n, int32_t cls, int32_t delta, int64_t clock) noexcept nogil

cdef void add(const void* data, const uint64_t* keys, int32_t n, int32_t* out) noexcept nogil
