"""Whether bytes are UTF-8 as the Unicode standard (table 3-7) defines it: no overlong forms, no surrogates."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from fastparse.corpus.strings.hashing cimport load

cdef inline int64_t first_invalid(const uint8_t* text, int64_t size) noexcept nogil:
    """Offset of the first byte that does not belong to a well-formed character, or -1."""
    cdef int64_t i = 0, length
    cdef uint8_t c, low, high
    while i < size:
        c = text[i]
        if c < 0x80:
            while size - i >= 8 and load(text + i, 8) & <uint64_t>0x8080808080808080 == 0:
                i += 8
            while i < size and text[i] < 0x80:
                i += 1
            continue
        low, high = 0x80, 0xBF          # what the second byte may be
        if 0xC2 <= c <= 0xDF:
            length = 2
        elif 0xE0 <= c <= 0xEF:
            length = 3
            if c == 0xE0:
                low = 0xA0
            elif c == 0xED:
                high = 0x9F
        elif 0xF0 <= c <= 0xF4:
            length = 4
            if c == 0xF0:
                low = 0x90
            elif c == 0xF4:
                high = 0x8F
        else:
            return i
        if size - i < length or text[i + 1] < low or text[i + 1] > high:
            return i
        if length > 2 and (text[i + 2] & 0xC0) != 0x80:
            return i
        if length > 3 and (text[i + 3] & 0xC0) != 0x80:
            return i
        i += length
    return -1
