"""Cases to learn from: rows of dense feature numbers with the decision that is right."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastparse.corpus.strings.vectors cimport Array

cdef struct Recorder:
    uint64_t* keys              # [mask + 1] owned; open addressing, 0 is empty
    int32_t* numbers            # [mask + 1] owned; in order of first occurrence
    uint64_t mask
    int32_t n_keys
    Array rows                  # int32: `width` numbers per case
    Array answers               # uint8 per case
    int32_t width               # features per case, the same for all
    bint failed                 # memory has run out: what was recorded is of no use

cdef void record(Recorder* r, const uint64_t* keys, int32_t n, bint answer) noexcept nogil

cdef class Cases:
    cdef Recorder r[3]
