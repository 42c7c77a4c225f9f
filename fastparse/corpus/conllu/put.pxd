"""Writing into memory that has room: each function returns where the next one goes on."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

cdef enum:
    MAX_DIGITS = 19             # of a number
    SLACK = 16                  # bytes after what it writes that `put_short` may overwrite


cdef inline char* put(char* out, const void* data, int64_t size) noexcept nogil:
    memcpy(out, data, <size_t>size)
    return out + size


cdef inline char* put_short(char* out, const char* data, int64_t size, const char* limit) noexcept nogil:
    """Bytes that are few as a rule; no byte at `limit` or after it is read."""
    if size <= SLACK and limit - data >= SLACK:
        memcpy(out, data, SLACK)
        return out + size
    memcpy(out, data, <size_t>size)
    return out + size


cdef inline char* put_number(char* out, int64_t number) noexcept nogil:
    """A number that is not negative, in decimal."""
    cdef char digits[MAX_DIGITS]
    cdef int at = MAX_DIGITS
    if number < 10:
        out[0] = <char>(c"0" + number)
        return out + 1
    if number < 100:
        out[0] = <char>(c"0" + number // 10)
        out[1] = <char>(c"0" + number % 10)
        return out + 2
    while True:
        at -= 1
        digits[at] = <char>(c"0" + number % 10)
        number //= 10
        if number == 0:
            return put(out, digits + at, MAX_DIGITS - at)


cdef inline char* put_head(char* out, int32_t head) noexcept nogil:
    """A head in decimal; `_` for none."""
    return put(out, b"_", 1) if head < 0 else put_number(out, head)
