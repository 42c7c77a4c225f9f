"""What the tokenizer knows of a character: its kind, and the character it is folded to.

Kinds group characters that behave alike; every ASCII mark and the common marks of typography are a kind of their own.
Folding gives lower case and plain quotes, so that `Don’t` and `don't` share weights.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t

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

cdef inline int32_t folded(const Alphabet* a, int32_t character) noexcept nogil:
    return character + a.folds[a.pages[character >> 7] * PAGE + (character & 127)]

cdef class Characters:
    cdef Alphabet a
    cdef readonly object pages, kinds, folds
