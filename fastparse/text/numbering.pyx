"""Numbering sentences anew: parts of a text are tokenized apart from each other, each counting from 1."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr, memcmp

from fastparse.corpus.strings.vectors cimport Array, discard, reserve
from fastparse.corpus.conllu.put cimport MAX_DIGITS, put, put_number

cdef extern from *:
    """
    #include <string.h>
    #ifdef __GLIBC__
    #define find_bytes memmem
    #else
    static const void *find_bytes(const void *data, size_t size, const void *wanted, size_t n) {
        const char *at = data, *end = at + size;
        while (size >= n && (at = memchr(at, *(const char *)wanted, end - at)) != NULL) {
            if ((size_t)(end - at) < n) return NULL;
            if (memcmp(at, wanted, n) == 0) return at;
            at++;
        }
        return NULL;
    }
    #endif
    """
    const void* find_bytes(const void* data, size_t size, const void* wanted, size_t n) nogil

cdef enum:
    NAME = 12                   # bytes of "# sent_id = "


def renumbered(const uint8_t[::1] conllu, int64_t before) -> bytes:
    """CoNLL-U of the tokenizer with `before` added to the number of each sentence."""
    cdef Array out
    cdef int64_t size = conllu.shape[0], at = 0, copied = 0, number
    cdef const uint8_t* data = &conllu[0] if size else NULL
    cdef bint failed = False
    out.data = NULL
    out.size = out.capacity = 0
    with nogil:
        failed = reserve(&out, size + size // 64, 1) != 0
        if size > NAME and memcmp(data, b"# sent_id = ", NAME) != 0:
            at = next_number(data, size, 0)
        while at < size and not failed:
            at += NAME
            failed = append_bytes(&out, data + copied, at - copied)
            number = 0
            while at < size and c"0" <= data[at] <= c"9":
                number = number * 10 + (data[at] - c"0")
                at += 1
            failed = failed or append_number(&out, number + before)
            copied = at
            at = next_number(data, size, at)
        failed = failed or (size > copied and append_bytes(&out, data + copied, size - copied))
    try:
        if failed:
            raise MemoryError("no memory for the tokens of a text")
        return PyBytes_FromStringAndSize(out.data, out.size)
    finally:
        discard(&out)


cdef inline int64_t next_number(const uint8_t* data, int64_t size, int64_t at) noexcept nogil:
    """Where the next comment with a number begins, or the size."""
    cdef const void* found = find_bytes(data + at, size - at, b"\n# sent_id = ", NAME + 1)
    return size if found == NULL else <const uint8_t*>found - data + 1


cdef bint append_bytes(Array* out, const uint8_t* data, int64_t size) noexcept nogil:
    """Append bytes: whether there was no memory."""
    if reserve(out, out.size + size, 1):
        return True
    out.size = put(out.data + out.size, data, size) - out.data
    return False


cdef bint append_number(Array* out, int64_t number) noexcept nogil:
    if reserve(out, out.size + MAX_DIGITS, 1):
        return True
    out.size = put_number(out.data + out.size, number) - out.data
    return False
