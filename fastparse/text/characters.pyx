"""Building the tables of characters from the Unicode database, and checking those of a file."""

import unicodedata

import numpy as np

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
