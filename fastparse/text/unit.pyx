"""Reading a unit: decoding UTF-8, finding kinds, squeezing white space."""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.text.characters cimport CLOSING, NEWLINE, PARAGRAPH, SPACE, WIDE, folded, kind_of

cdef enum:
    # Characters at the end of a unit that is too large, among which one is looked for to cut after.
    CUT_WITHIN = LARGEST_UNIT // 4


cdef int allocate(Unit* u, int64_t size) noexcept nogil:
    """Memory for the largest unit of a text of so many bytes: 0, or NO_MEMORY."""
    cdef size_t most = <size_t>(size if size < LARGEST_UNIT else LARGEST_UNIT)
    cdef size_t n = (most + 2 * MARGIN + 2 + 3) & ~<size_t>3
    cdef size_t n_tokens = most + 2 * AROUND + 2
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


cdef inline bint is_closing(const Unit* u, int32_t i) noexcept nogil:
    """Whether a character may stand between the mark that ends a sentence and the white space after it."""
    cdef int32_t c = u.folded[i]
    return u.kinds[i] == CLOSING or c == c'"' or c == c"'" or c == c")" or c == c"]" or c == 0xBB


cdef inline bint is_end(int32_t c) noexcept nogil:
    """Whether a character usually ends a sentence: full stops, question and exclamation marks, dots."""
    return (c == c"." or c == c"!" or c == c"?" or c == 0x2026 or c == 0x3002 or c == 0xFF01 or c == 0xFF1F
            or c == 0x61F or c == 0x6D4 or c == 0x964)


cdef int32_t cut_back(Unit* u, int32_t n) noexcept nogil:
    """End a unit that has `n` characters and would have more where that does least harm: how many it keeps.

    Of the last white space of each sort the first in this order is taken: a line end after the end of a sentence, other
    white space after it, a line end, white space. Without any the unit ends within a token.
    """
    cdef int32_t i = n - 1, before, best = -1
    cdef int rank, best_rank = 0
    while i >= n - CUT_WITHIN and best_rank < 4:
        if SPACE <= u.kinds[i] <= PARAGRAPH:
            before = i - 1
            while before > 0 and is_closing(u, before):
                before -= 1
            rank = 1 + (u.kinds[i] == NEWLINE) + 2 * is_end(u.folded[before])
            if rank > best_rank:
                best_rank = rank
                best = i
        i -= 1
    if best < 0:
        return n
    u.stop = u.first + u.at[best]
    u.end = u.first + u.at[best + 1]
    u.n_after = u.place[best + 1] - u.place[best]
    return best


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
            if space.kind == PARAGRAPH or space.open:
                u.end = space.end
                u.n_after = space.n
                u.empty_line = space.empty_line
                break
            u.folded[n] = c" "
            u.kinds[n] = space.kind
            u.at[n] = <uint32_t>(at - u.first)
            u.place[n] = <uint32_t>place
            place += space.n
            at = space.end
        else:
            if n >= LARGEST_UNIT:
                u.at[n] = <uint32_t>(at - u.first)
                u.place[n] = <uint32_t>place
                n = cut_back(u, n)
                place = u.place[n]
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
