"""The columns right of DEPREL, which few ask for: looked up in the source when they do."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastparse.corpus.strings.interning cimport Interner, drop, finish, intern, prepare
from fastparse.corpus.strings.vectors cimport Array, Vector, discard, reserve


def read_tail(bytes source not None, const int64_t[::1] head_at not None, int column):
    """The ids and strings of DEPS (column 8) or MISC (9).

    Args:
        source: the bytes.
        head_at: where the cell HEAD of each word begins.
        column: which one, ID being column 0.

    Returns:
        The ids (int32 per word) and their StringTable.
    """
    cdef Array ids = Array(NULL, 0, 0)
    cdef Interner interner
    cdef int64_t n_words = head_at.shape[0], size = len(source), i
    cdef const uint8_t* begin = <const uint8_t*>source
    cdef int32_t cell = 0
    for i in range(n_words):
        if not 0 <= head_at[i] < size:
            raise IndexError(f"no word of {size} bytes begins at {head_at[i]}")
    if prepare(&interner, begin, begin + size):
        raise MemoryError("cannot allocate a string table")
    if reserve(&ids, n_words, sizeof(int32_t)) == 0:
        with nogil:
            for i in range(n_words):
                cell = intern_tail(&interner, head_at[i], column)
                if cell < 0:
                    break
                (<int32_t*>ids.data)[i] = cell
                ids.size = i + 1
    if ids.size < n_words:
        discard(&ids)
        drop(&interner)
        raise MemoryError(f"cannot allocate a column of {n_words} words")
    return Vector.adopt(&ids, b"i").array(), finish(&interner, source)


cdef inline int32_t intern_tail(Interner* interner, int64_t head_at, int column) noexcept nogil:
    """The id of a cell right of HEAD; a line without it, of CoNLL-X, gives the empty string."""
    cdef const uint8_t* at = interner.source + head_at
    cdef const uint8_t* begin
    cdef int tabs = column - 6
    while at < interner.limit and at[0] != c"\n" and tabs > 0:
        tabs -= at[0] == c"\t"
        at += 1
    begin = at
    while at < interner.limit and at[0] != c"\n" and at[0] != c"\t":
        at += 1
    if at == interner.limit or at[0] == c"\n":
        while at > begin and (at - 1)[0] == c"\r":
            at -= 1
    return intern(interner, begin, at - begin)
