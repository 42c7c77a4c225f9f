"""Words as encoders take them, and what finds their rows."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fastparse.corpus.sheet cimport Sheet
from fastparse.corpus.strings.index cimport Index
from fastparse.corpus.strings.interning cimport StringTable
from fastparse.corpus.strings.vectors cimport Array
from fastparse.encoder.lexicon cimport Lexicon

cdef class Words:
    # All int32. The ids of a kind of word stand together in `items`, segment by segment.
    cdef Array items
    cdef Array stops                    # [n_kinds][n_segments] where in `items` those of a kind and segment end
    cdef Array kinds                    # of each word and root
    cdef int32_t n_segments

cdef class Memory:
    # What one thread needs to read forms: rows of forms read before, and which forms of a table were met in a call.
    cdef unsigned char* known           # [KNOWN] of Forms
    cdef int32_t* numbers               # [capacity] by place in the table: the number of a form in this call,
    cdef int32_t* calls                 # [capacity] if this is the call
    cdef int64_t capacity
    cdef int32_t call
    cdef Array met                      # int32: places of the forms of this call, by number
    cdef Words forms                    # their rows, the root first
    cdef Array slots                    # of the words that were met in this call

    cdef int begin(self, int64_t n_strings) except -1

cdef class Forms:
    cdef Index forms, affixes           # rows, by the keys of strings
    cdef Py_ssize_t longest, most_grams  # affix; sequences of three characters
    cdef int32_t most                   # ids of a word
    cdef Lexicon lexicon                # None: without
    cdef size_t known_size              # bytes of a form that was read before
    cdef list idle                      # Memory that waits for the next call

    cdef Memory take(self)
    cdef void give_back(self, Memory memory)
    cdef int number(self, Memory memory, StringTable table, const int32_t* forms, int64_t n, int32_t* into) except -1
    cdef int read_known(self, Memory memory, StringTable table, int32_t place) noexcept nogil
    cdef bint read_plain(self, Array* ids, const unsigned char* form, int32_t size) noexcept nogil
    cdef int read_one(self, Array* ids, str form)
    cdef void add_codes(self, Array* ids, uint64_t key) noexcept nogil
