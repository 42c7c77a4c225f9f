"""Finding the shape of a token."""

from fastparse.text.characters cimport (
    CLOSING, DASH, DIGIT, EMOJI, JOINER, LETTER, LOWER, MARK, NUMBER, OPENING, REGIONAL,
    SOUTHEAST, UPPER,
)

cdef enum:
    HAS_LOWER = 1
    HAS_UPPER = 2
    HAS_CASELESS = 4
    HAS_DIGIT = 8
    HAS_STOP = 16               # full stops
    HAS_OTHER = 32
    HAS_END = 64                # question and exclamation marks, three dots in one
    HAS_PICTURE = 128
    MOST = 512                  # characters looked at


cdef uint8_t shape_of(const uint8_t* kinds, const int32_t* folded, int32_t n) noexcept nogil:
    """The shape of `n` characters; of a very long token, that of its beginning."""
    cdef int32_t i, c, seen = 0
    cdef uint8_t kind
    cdef bint address = False
    if n > MOST:
        n = MOST
    for i in range(n):
        kind = kinds[i]
        c = folded[i]
        if kind == LOWER:
            seen |= HAS_LOWER
        elif kind == UPPER:
            seen |= HAS_UPPER
        elif LETTER <= kind <= SOUTHEAST:
            seen |= HAS_CASELESS
        elif kind == DIGIT or kind == NUMBER:
            seen |= HAS_DIGIT
        elif c == c".":
            seen |= HAS_STOP
        elif c == c"?" or c == c"!" or c == 0x2026:
            seen |= HAS_END
        elif kind == EMOJI or kind == REGIONAL:
            seen |= HAS_PICTURE
        elif not MARK <= kind <= JOINER:
            seen |= HAS_OTHER
            if c == c"@" and 0 < i < n - 1 or c == c":" and i + 2 < n and folded[i + 1] == c"/" == folded[i + 2]:
                address = True
    if seen & (HAS_LOWER | HAS_UPPER | HAS_CASELESS | HAS_DIGIT):
        if n > 4 and folded[0] == c"w" == folded[1] and folded[2] == c"w" and folded[3] == c".":
            address = True
        return shape_of_word(kinds, folded, n, seen, address)
    return shape_of_mark(kinds, folded, n, seen)


cdef uint8_t shape_of_word(
    const uint8_t* kinds, const int32_t* folded, int32_t n, int32_t seen, bint address
) noexcept nogil:
    if address:
        return ADDRESS
    if seen & HAS_DIGIT:
        if seen == HAS_DIGIT:
            return DIGITS
        if seen == HAS_DIGIT | HAS_STOP and folded[n - 1] == c".":
            return ORDINAL
        return NUMERIC
    if folded[0] == c"'" and n > 1:
        return CLITIC
    if seen & (HAS_OTHER | HAS_END | HAS_PICTURE):
        return COMPOUND
    if seen & HAS_STOP:
        return ABBREVIATION if folded[n - 1] == c"." else COMPOUND
    if seen & HAS_CASELESS:
        return CASELESS
    if seen == HAS_LOWER:
        return LOWER_WORD
    if seen == HAS_UPPER:
        return INITIAL if n == 1 else CAPITALS
    if kinds[0] == UPPER:
        for i in range(1, n):
            if kinds[i] == UPPER:
                return MIXED_CASE
        return TITLE_WORD
    return MIXED_CASE


cdef uint8_t shape_of_mark(const uint8_t* kinds, const int32_t* folded, int32_t n, int32_t seen) noexcept nogil:
    cdef int32_t c = folded[0]
    cdef uint8_t kind = kinds[0]
    if seen & HAS_PICTURE:
        return PICTURE
    if not seen & HAS_OTHER:
        if seen == HAS_STOP:
            return STOP if n == 1 else ELLIPSIS
        if n == 1:
            return QUESTION if c == c"?" else EXCLAMATION if c == c"!" else ELLIPSIS if c == 0x2026 else OTHER
        return MANY_STOPS if seen else OTHER
    if n > 1:
        for i in range(1, n):
            if folded[i] != c:
                return EMOTICON
        if c == c"'":
            return QUOTE
    if c == c",":
        return COMMA
    if c == c":":
        return COLON
    if c == c";":
        return SEMICOLON
    if c == c"\"" or c == c"`":
        return QUOTE
    if c == c"'":
        return APOSTROPHE
    if kind == DASH or c == c"-" or c == 0x2013 or c == 0x2014:
        return HYPHEN
    if kind == OPENING or c == c"(" or c == c"[" or c == c"{" or c == c"<" or c == 0xAB or c == 0x2039:
        return OPENED
    if kind == CLOSING or c == c")" or c == c"]" or c == c"}" or c == c">" or c == 0xBB or c == 0x203A:
        return CLOSED
    if c == c"*" or c == 0x2022 or c == 0xB7 or c == c"=" or c == c"_" or c == c"~" or c == c"#" or c == c"+":
        return BULLET
    return OTHER
