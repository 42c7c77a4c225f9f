"""What is known of words from outside, see lexicon.pyx; and the keys of strings."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from fastparse.corpus.strings.hashing cimport fold

cdef inline uint64_t step(uint64_t h, Py_UCS4 character) noexcept nogil:
    return fold(h + 1, character)

cdef inline uint64_t key_between(str text, Py_ssize_t begin, Py_ssize_t end, uint64_t h):
    """The key of what `h` is of, and of the characters from `begin` to `end`."""
    cdef Py_ssize_t i
    for i in range(begin, end):
        h = step(h, text[i])
    return h

cdef class Lexicon:
    cdef readonly dict parts        # arrays by name, as files hold them
    cdef readonly int32_t columns
    cdef int32_t shift              # of a key, to the number of its bucket
    cdef const int32_t[::1] ends    # [buckets + 1] of the words of each bucket, after a zero
    cdef const uint8_t[::1] checks  # [words]
    cdef const uint16_t[::1] kinds  # [words]
    cdef const uint16_t[:, ::1] codes   # [kinds, columns]

    cdef int64_t place(self, uint64_t key) noexcept nogil
    cdef inline int32_t code(self, int64_t place, int32_t column) noexcept nogil:
        return self.codes[self.kinds[place], column]
