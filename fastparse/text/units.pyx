"""Reading units: decoding UTF-8, finding kinds, squeezing white space; and where a text may be cut: between units."""

import unicodedata

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastparse.corpus.conllu.tokenization cimport MOST_SPACE
from fastparse.corpus.conllu.utf8 cimport first_invalid

from fastparse.errors import ModelFormatError


MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…‘’“”„‚«»‹›–—·•¿¡°€£"  # those with a kind of their own
_QUOTES = {"‘": "'", "’": "'", "ʼ": "'", "′": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "″": '"'}
_LINE_ENDS = "\n\r\v\f\x85\u2028"
_BLANKS = "\x1c\x1d\x1e\x1f\u200b\ufeff\t"  # white space besides the category Zs; the zero width ones show nothing
_CATEGORIES = {
    "Ll": LOWER, "Lu": UPPER, "Lt": UPPER, "Lm": LETTER, "Lo": LETTER, "Nl": NUMBER, "No": NUMBER,
    "Nd": DIGIT,  # codespell:ignore
    "Mn": MARK, "Mc": MARK, "Me": MARK, "Cf": FORMAT, "Cc": CONTROL, "Cs": CONTROL, "Co": CONTROL, "Cn": CONTROL,
    "Sm": SYMBOL, "Sk": SYMBOL, "So": EMOJI, "Sc": CURRENCY, "Pd": DASH, "Ps": OPENING, "Pi": OPENING, "Pe": CLOSING,
    "Pf": CLOSING, "Po": PUNCTUATION, "Pc": PUNCTUATION, "Zs": SPACE, "Zl": NEWLINE, "Zp": PARAGRAPH,
}
_HAN = ((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD))
_KANA = ((0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F))
_SOUTHEAST = ((0x0E00, 0x0EFF), (0x0F00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x1AAF))
_of_unicode = []  # the tables, once they have been made


_WHITE = _LINE_ENDS + _BLANKS + " \xa0\u1680\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def _kind(character):
    code = ord(character)
    if character in MARKS:
        return FIRST_MARK + MARKS.index(character)
    if character in _LINE_ENDS:
        return NEWLINE
    if character in _BLANKS:
        return SPACE
    if code == 0x200D:
        return JOINER
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        return MARK
    if 0x1F1E6 <= code <= 0x1F1FF:
        return REGIONAL
    kind = _CATEGORIES[unicodedata.category(character)]
    if kind == LETTER:
        for ranges, special in ((_HAN, HAN), (_KANA, KANA), (_SOUTHEAST, SOUTHEAST)):
            if any(first <= code <= last for first, last in ranges):
                return special
    return kind


def _fold(character):
    if character in _QUOTES:
        return ord(_QUOTES[character]) - ord(character)
    if character.isspace():
        return ord(" ") - ord(character)
    lower = character.lower()
    return ord(lower[0]) - ord(character)


cdef class Characters:
    """The tables as arrays; immutable.

    Attributes:
        pages: uint16 per 128 code points, the page where these are described.
        kinds: uint8, 128 per page.
        folds: int32, 128 per page: what to add to a code point to get its folded one.
    """

    def __init__(self, pages, kinds, folds):
        """Raises: ModelFormatError: for arrays that cannot be such tables."""
        for name, array, dtype in (("pages", pages, np.uint16), ("kinds", kinds, np.uint8), ("folds", folds, np.int32)):
            if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
                raise ModelFormatError(f"tokenizer: {name} is not a row of {np.dtype(dtype)}. Train the model again.")
        n = len(kinds) // PAGE
        if len(pages) != N_PAGES or n < 1 or len(kinds) != n * PAGE or len(folds) != n * PAGE:
            raise ModelFormatError("tokenizer: the tables of characters have impossible sizes. Train the model again.")
        if int(pages.max()) >= n or int(kinds.max()) >= FIRST_MARK + len(MARKS):
            raise ModelFormatError("tokenizer: the tables of characters point outside them. Train the model again.")
        if int(np.abs(folds.astype(np.int64)).max()) >= 0x110000:
            raise ModelFormatError("tokenizer: characters are folded to impossible ones. Train the model again.")
        self.pages = np.ascontiguousarray(pages)
        self.kinds = np.ascontiguousarray(kinds)
        self.folds = np.ascontiguousarray(folds)
        cdef const uint16_t[::1] p = self.pages
        cdef const uint8_t[::1] k = self.kinds
        cdef const int32_t[::1] f = self.folds
        self.a = Alphabet(&p[0], &k[0], &f[0])
        # Within a token white space would end a line or a cell of what is written.
        for character in _WHITE:
            if kind_of(&self.a, ord(character)) != _kind(character):
                raise ModelFormatError(
                    f"tokenizer: U+{ord(character):04X} is not taken for white space. Train the model again.")

    @staticmethod
    def of_unicode():
        """The tables of the interpreter's Unicode database; a model keeps those it was trained with."""
        if _of_unicode:
            return _of_unicode[0]
        known = {}
        pages = np.zeros(N_PAGES, np.uint16)
        for page in range(N_PAGES):
            characters = [chr(code) for code in range(page * PAGE, (page + 1) * PAGE)]
            row = (bytes(map(_kind, characters)), tuple(map(_fold, characters)))
            pages[page] = known.setdefault(row, len(known))
        kinds = np.frombuffer(b"".join(kinds for kinds, _ in known), np.uint8)
        folds = np.array([fold for _, row in known for fold in row], np.int32)
        _of_unicode.append(Characters(pages, kinds, folds))
        return _of_unicode[0]

    def fold(self, text: str) -> str:
        """The folded characters of a text."""
        return "".join(chr(max(0, min(folded(&self.a, ord(character)), 0x10FFFF))) for character in text)

    def kind(self, character: str) -> int:
        """The kind of a character, a number below 96."""
        return kind_of(&self.a, ord(character))


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


MOST_WHITE = MOST_SPACE


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
        if not is_space(kind):
            break
        if found.n >= MOST_SPACE:
            pass
        elif kind == NEWLINE:
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
    while i >= max(1, n - CUT_WITHIN) and best_rank < 4:
        if is_space(u.kinds[i]):
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
    cdef const uint8_t* kinds = a.kinds + a.pages[0] * PAGE     # of ASCII
    cdef const int32_t* folds = a.folds + a.pages[0] * PAGE
    u.begin = at
    u.n_before = u.n_after = 0
    u.n_tokens = 0
    u.empty_line = False
    while at < size and is_space(kind_of(a, character_at(text, at))):
        space = space_at(a, text, at, size, lines)
        if space.open and not final:
            return 0
        at = space.end
        u.n_before += space.n
    u.first = at
    u.stop = u.end = at
    while at < size:
        while n < LARGEST_UNIT and at < size and text[at] < 0x80:   # most characters, the same as below
            c = text[at]
            kind = kinds[c]
            if is_space(kind):
                if c != c" " or at + 1 >= size or text[at + 1] >= 0x80 or is_space(kinds[text[at + 1]]):
                    break
                kind = SPACE
                u.folded[n] = c" "
            else:
                u.folded[n] = c + folds[c]
            u.kinds[n] = kind
            u.at[n] = <uint32_t>(at - u.first)
            u.place[n] = <uint32_t>place
            place += 1
            at += 1
            n += 1
        u.stop = u.end = at
        if at >= size:
            break
        c = character_at(text, at)
        kind = kind_of(a, c)
        if is_space(kind):
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
            if place >= MOST_OF_UNIT:
                n += 1
                u.at[n] = <uint32_t>(at - u.first)
                u.place[n] = <uint32_t>place
                n = cut_back(u, n)
                place = u.place[n]
                break
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


def invalid_utf8(const uint8_t[::1] text) -> int:
    """Offset of the first byte that is not well-formed UTF-8, or -1."""
    return first_invalid(&text[0], text.shape[0]) if text.shape[0] else -1


def first_visible(Characters characters, const uint8_t[::1] text) -> int:
    """The byte where the first character begins that is no white space; the size of the text if there is none."""
    cdef int64_t at = 0, size = text.shape[0]
    while at < size and (text[at] & 0xC0 == 0x80 or is_white(characters, text, at)):
        at += 1
    return at


def last_cut(Characters characters, const uint8_t[::1] text, int64_t begin, int64_t end, bint lines) -> int:
    """The last place after `begin`, and not after `end`, where a unit begins whatever comes before, or -1.

    It is a visible character after an empty line; with `lines`, after a line too. Some of these are not found.

    Args:
        begin: a visible character.
    """
    cdef int64_t at, size = text.shape[0]
    with nogil:
        at = end if end < size else size - 1
        while at > begin:
            if text[at - 1] == c"\n" and ends_unit(characters, text, begin, at - 1, lines):
                if not is_white(characters, text, at):
                    break
            at -= 1
    return at if at > begin else -1


def whole_units(Characters characters, const uint8_t[::1] text, *, bint final, bint lines, int64_t wanted) -> tuple:
    """Units from the beginning of valid UTF-8, until they have as many bytes as are wanted.

    Args:
        final: whether no text follows.

    Returns:
        Their bytes, 0 if more text is needed to know where the first ends; their characters; whether an empty line ends
        the last.
    """
    cdef Unit u
    cdef int64_t at = 0, size = text.shape[0], n = 0
    cdef bint empty_line = False
    if allocate(&u, size):
        raise MemoryError("no memory to read text")
    with nogil:
        while at < size and at < wanted and read_unit(&u, &characters.a, &text[0], at, size, final, lines):
            n += u.n_before + u.place[u.n] + u.n_after
            at = u.end
            empty_line = u.empty_line
    release(&u)
    return at, n, bool(empty_line)


def white_ends(Characters characters, const uint8_t[::1] text) -> tuple:
    """The white space a text begins with, in bytes and in characters, and what it ends with, in characters."""
    cdef int64_t size = text.shape[0], first = 0, n_first = 0, last = size, n_last = 0, at
    with nogil:
        while first < size and is_white(characters, text, first):
            first += length_of(text[first])
            n_first += 1
        while last > first:
            at = last - 1
            while at > first and text[at] & 0xC0 == 0x80:
                at -= 1
            if not is_white(characters, text, at):
                break
            last = at
            n_last += 1
    return first, n_first, n_last


def size_of_characters(const uint8_t[::1] text, int64_t n) -> int:
    """The bytes of the first characters of valid UTF-8."""
    cdef int64_t at = 0
    while at < text.shape[0] and n > 0:
        at += length_of(text[at])
        n -= 1
    return at


cdef inline bint ends_unit(
    Characters characters, const uint8_t[::1] text, int64_t begin, int64_t at, bint lines
) noexcept nogil:
    """Whether a line feed before a visible character ends a unit, as can be told from what comes just before it."""
    at -= at > begin and text[at - 1] == c"\r"
    if at <= begin:
        return False
    if text[at - 1] == c"\n" or not lines:
        return text[at - 1] == c"\n"
    at -= 1
    while at > begin and text[at] & 0xC0 == 0x80:
        at -= 1
    return not is_white(characters, text, at)


cdef inline bint is_white(Characters characters, const uint8_t[::1] text, int64_t at) noexcept nogil:
    return is_space(kind_of(&characters.a, character_at(&text[0], at)))
