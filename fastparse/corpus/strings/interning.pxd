"""Cells of a column to dense ids: an open-addressing table over strings that stay where they are, in the source bytes.

A slot holds the string itself when it has at most eight bytes, and a 64-bit key of it otherwise, so that most lookups
touch one cache line. Equal keys of long strings are confirmed byte by byte: ids are exact.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from fastparse.corpus.strings.vectors cimport Array, Vector

cdef struct Slot:
    uint64_t word               # the bytes, little-endian (length <= 8), or the key
    int32_t length
    int32_t id                  # -1: the slot is free

cdef struct Interner:
    const uint8_t* source       # borrowed: every string lies within [source, limit)
    const uint8_t* limit
    Slot* slots                 # owned; freed by `finish` or `drop`
    uint64_t n_slots            # a power of two, at least twice the number of strings
    int shift                   # 64 - log2(n_slots): slots are chosen by the top bits of a product
    Array begins                # int64 per string: where it begins in the source; .size is the number of strings
    Array lengths               # int32 per string

cdef int prepare(Interner* self, const uint8_t* source, const uint8_t* limit) noexcept nogil
cdef int32_t intern(Interner* self, const uint8_t* at, int64_t length) noexcept nogil
cdef int32_t intern_copied(
    Interner* self, Array* pool, const uint8_t* at, int64_t length, const uint8_t* limit) noexcept nogil
cdef void forget(Interner* self, int64_t n_strings) noexcept nogil
cdef StringTable finish(Interner* self, bytes source)
cdef void drop(Interner* self) noexcept nogil

cdef enum:                      # how many strings of a table say something, being neither empty nor `_`
    UNKNOWN_FULLNESS
    BLANK                       # none, and there are some
    SOME
    FULL                        # all of them

cdef class StringTable:
    cdef readonly bytes source
    cdef Vector begins
    cdef Vector lengths
    cdef list decoded           # None until somebody asks for strings
    cdef Vector hashed          # None until somebody asks for hashes
    cdef int known_fullness     # of `fullness`, once somebody has asked
    cdef object read_by         # who has read the strings, and what it made of them: whoever did so last
    cdef readonly bint lasting  # whether it belongs to a model, so that what is known of it is worth keeping

    cdef int fullness(self) noexcept
    cdef str at(self, int64_t id)
    cdef const uint64_t* hash_row(self) except NULL
