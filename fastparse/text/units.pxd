"""Units of text, which are tokenized without a look at each other, and what is known of their characters.

Kinds group characters that behave alike; every ASCII mark and the common marks of typography are a kind of their own.
Folding gives lower case and plain quotes, so that `Don’t` and `don't` share weights.

A unit is a paragraph, or as much of one as is looked at together, as arrays of characters and tokens. White space is
squeezed: a run of it is one character U+0020, whose kind says what the run was. Features never look beyond a unit, so
that a text may be cut between units without a change in the outcome.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    LOWER                       # letters: lower case,
    UPPER                       # upper and title case,
    LETTER                      # without case,
    HAN, KANA, SOUTHEAST        # and of scripts that put no spaces between words
    DIGIT, NUMBER
    MARK                        # combining marks and what modifies an emoji: never parted from what precedes
    FORMAT                      # invisible: soft hyphen, direction marks
    JOINER                      # zero width joiner: never parted from what follows
    CONTROL, SYMBOL, EMOJI, REGIONAL, CURRENCY, DASH, OPENING, CLOSING, PUNCTUATION
    SPACE                       # a single U+0020 once white space has been squeezed, any blank before
    WIDE                        # other white space without a line end
    NEWLINE                     # white space with one line end
    PARAGRAPH                   # white space with an empty line
    FIRST_MARK                  # the characters of MARKS follow, in their order
    N_KINDS = 96
    PAGE = 128                  # characters of a page
    N_PAGES = 0x110000 // 128

cdef struct Alphabet:
    # Borrowed from the arrays of `Characters`.
    const uint16_t* pages       # [N_PAGES] the page of each 128 code points, below the number of pages
    const uint8_t* kinds        # [pages * PAGE]
    const int32_t* folds        # [pages * PAGE] what to add to a code point to fold it

cdef inline uint8_t kind_of(const Alphabet* a, int32_t character) noexcept nogil:
    return a.kinds[a.pages[character >> 7] * PAGE + (character & 127)]

cdef inline bint is_space(uint8_t kind) noexcept nogil:
    return SPACE <= kind <= PARAGRAPH

cdef inline int32_t folded(const Alphabet* a, int32_t character) noexcept nogil:
    return character + a.folds[a.pages[character >> 7] * PAGE + (character & 127)]

cdef class Characters:
    cdef Alphabet a
    cdef readonly object pages, kinds, folds

cdef enum:
    MARGIN = 8                  # characters before the first and after the last that may be looked at: kind SPACE
    AROUND = 4                  # tokens before the first and after the last that may be looked at: no hash, no shape
    LARGEST_UNIT = 65536        # characters, squeezed; a paragraph with more is taken in several units
    MOST_OF_UNIT = 1 << 20      # characters, not squeezed: the same
    LARGEST_SPACE = 4096        # so many characters of white space end a paragraph whatever they are

cdef enum:
    ENDS = 1
    GOES_ON = 2

cdef enum:
    NO_MEMORY = -1
    NOT_UTF8 = -2

cdef struct Token:
    int32_t begin, end          # characters of the unit
    uint64_t hash               # of the folded form
    uint64_t suffix             # of its last three characters
    uint8_t shape               # see shapes.pxd
    uint8_t space               # kind of the white space that follows; 0 is none
    uint16_t ahead              # tokens up to the next mark that ends sentences, this one included: 0 if it is one
    uint8_t ends                # whether a sentence ends with it
    uint8_t known               # ENDS or GOES_ON if a rule has decided that, otherwise 0

cdef struct Unit:
    int32_t n                   # characters, squeezed, without white space at either end
    int32_t* folded             # [n + 2 * MARGIN] owned; item 0 is the first character
    uint8_t* kinds              # the same
    uint32_t* at                # [n + 1] the byte where each begins, counted from `first`
    uint32_t* place             # [n + 1] the same in characters
    Token* tokens               # [n + 2 * AROUND] owned; item 0 is the first token
    int32_t n_tokens
    int64_t begin               # bytes of the text: white space before the unit, if any, begins here,
    int64_t first               # its first character,
    int64_t stop                # white space after it,
    int64_t end                 # and the next unit
    int64_t n_before, n_after   # characters of that white space
    bint empty_line             # whether an empty line follows
    void* memory                # owned
    void* token_memory          # owned

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


cdef int allocate(Unit* u, int64_t size) noexcept nogil
cdef void release(Unit* u) noexcept nogil
cdef int64_t read_unit(Unit* u, const Alphabet* a, const uint8_t* text, int64_t at, int64_t size, bint final,
                       bint lines) noexcept nogil
