"""Where a text may be cut: between units, which are tokenized without a look at each other."""

from libc.stdint cimport int64_t, uint8_t

from fastparse.corpus.conllu.utf8 cimport first_invalid
from fastparse.text.characters cimport PARAGRAPH, SPACE, Characters, kind_of
from fastparse.text.unit cimport Unit, allocate, character_at, read_unit, release


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
    return SPACE <= kind_of(&characters.a, character_at(&text[0], at)) <= PARAGRAPH
