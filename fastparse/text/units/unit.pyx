"""Reading a unit: decoding UTF-8, finding kinds, squeezing white space."""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.text.units.characters cimport NEWLINE, PARAGRAPH, SPACE, WIDE, folded, kind_of


cdef int allocate(Unit* u) noexcept nogil:
    """Memory for the largest unit: 0, or NO_MEMORY."""
    cdef size_t n = LARGEST_UNIT + 2 * MARGIN + 2
    cdef size_t n_tokens = LARGEST_UNIT + 2 * AROUND + 2
    cdef char* memory = <char*>malloc(n * (2 * sizeof(uint32_t) + sizeof(int32_t) + 1))
    cdef Token* tokens = <Token*>malloc(n_tokens * sizeof(Token))
    u.memory = memory
    u.token_memory = tokens
    if memory == NULL or tokens == NULL:
        release(u)
        return NO_MEMORY
    u.folded = <int32_t*>memory + MARGIN
    u.at = <uint32_t*>memory + n
    u.place = <uint32_t*>memory + 2 * n
    u.kinds = <uint8_t*>memory + 3 * sizeof(uint32_t) * n + MARGIN
    memset(u.kinds - MARGIN, SPACE, MARGIN)
    memset(u.folded - MARGIN, 0, MARGIN * sizeof(int32_t))
    memset(tokens, 0, AROUND * sizeof(Token))
    u.tokens = tokens + AROUND
    return 0


cdef void release(Unit* u) noexcept nogil:
    free(u.memory)
    free(u.token_memory)
    u.memory = u.token_memory = NULL


cdef inline int length_of(uint8_t c) noexcept nogil:
    return 1 if c < 0x80 else 2 if c < 0xE0 else 3 if c < 0xF0 else 4


cdef inline int32_t character_at(const uint8_t* text, int64_t at) noexcept nogil:
    """The character that begins at a byte of valid UTF-8."""
    cdef int32_t c = text[at]
    if c < 0x80:
        return c
    if c < 0xE0:
        return (c & 0x1F) << 6 | (text[at + 1] & 0x3F)
    if c < 0xF0:
        return (c & 0x0F) << 12 | (text[at + 1] & 0x3F) << 6 | (text[at + 2] & 0x3F)
    return (c & 0x07) << 18 | (text[at + 1] & 0x3F) << 12 | (text[at + 2] & 0x3F) << 6 | (text[at + 3] & 0x3F)


cdef struct Space:
    # A run of white space.
    int64_t end                 # byte
    int64_t n                   # characters
    uint8_t kind
    bint empty_line             # whether there is one
    bint open                   # whether it reaches the end of the text, so that more may follow


cdef inline Space space_at(const Alphabet* a, const uint8_t* text, int64_t at, int64_t size, bint lines) noexcept nogil:
    """The white space that begins at a byte. With `lines` every line end is that of a paragraph."""
    cdef Space found
    cdef int32_t c, before = 0
    cdef uint8_t kind
    cdef int n_lines = 0
    found.n = 0
    found.kind = SPACE
    if at < size and text[at] == c" " and at + 1 < size and text[at + 1] < 0x80 and kind_of(a, text[at + 1]) < SPACE:
        found.end = at + 1
        found.n = 1
        found.empty_line = found.open = False
        return found
    while at < size:
        c = character_at(text, at)
        kind = kind_of(a, c)
        if not SPACE <= kind <= PARAGRAPH:
            break
        if kind == NEWLINE:
            n_lines += not (c == c"\n" and before == c"\r")
        elif kind == PARAGRAPH:
            n_lines += 2
        elif found.n > 0 or c != c" ":
            found.kind = WIDE
        before = c
        found.n += 1
        at += length_of(text[at])
    found.end = at
    found.open = at >= size
    found.empty_line = n_lines > 1
    if n_lines > 0:
        found.kind = NEWLINE if n_lines == 1 and not lines else PARAGRAPH
    elif found.n > 1:
        found.kind = WIDE
    if found.n >= LARGEST_SPACE:
        found.kind = PARAGRAPH
    return found


cdef int64_t read_unit(Unit* u, const Alphabet* a, const uint8_t* text, int64_t at, int64_t size, bint final,
                       bint lines) noexcept nogil:
    """Read the unit that begins at a byte of valid UTF-8: 1, or 0 if the text ends before it and is not final.

    White space before the first character belongs to the unit only at the beginning of a text.
    """
    cdef Space space
    cdef int32_t n = 0, c
    cdef int64_t place = 0
    cdef uint8_t kind
    u.begin = at
    u.n_before = u.n_after = 0
    u.n_tokens = 0
    u.whole = True
    u.empty_line = False
    while at < size and SPACE <= kind_of(a, character_at(text, at)) <= PARAGRAPH:
        space = space_at(a, text, at, size, lines)
        if space.open and not final:
            return 0
        at = space.end
        u.n_before += space.n
    u.first = at
    u.stop = u.end = at
    while at < size:
        c = character_at(text, at)
        kind = kind_of(a, c)
        if SPACE <= kind <= PARAGRAPH:
            space = space_at(a, text, at, size, lines)
            if space.open and not final:
                return 0
            u.stop = at
            if space.kind == PARAGRAPH or space.open or n >= LARGEST_UNIT - 1:
                u.at[n] = <uint32_t>(at - u.first)
                u.place[n] = <uint32_t>place
                u.end = space.end
                u.n_after = space.n
                u.empty_line = space.empty_line
                u.whole = space.kind == PARAGRAPH or space.open
                break
            u.folded[n] = c" "
            u.kinds[n] = space.kind
            u.at[n] = <uint32_t>(at - u.first)
            u.place[n] = <uint32_t>place
            place += space.n
            at = space.end
        else:
            if n >= LARGEST_UNIT:
                u.whole = False
                break
            u.folded[n] = folded(a, c)
            u.kinds[n] = kind
            u.at[n] = <uint32_t>(at - u.first)
            u.place[n] = <uint32_t>place
            place += 1
            at += length_of(text[at])
            u.stop = u.end = at
        n += 1
    if at >= size and not final and u.end == at:
        return 0
    u.n = n
    u.at[n] = <uint32_t>(u.stop - u.first)
    u.place[n] = <uint32_t>place
    memset(u.kinds + n, SPACE, MARGIN)
    memset(u.folded + n, 0, MARGIN * sizeof(int32_t))
    return 1
