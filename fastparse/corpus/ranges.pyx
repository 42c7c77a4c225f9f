"""The lines of multiword tokens, `2-3`, which the reader checks and leaves in the source: looked up when asked for."""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr

from fastparse.corpus.strings.vectors cimport Array, Vector, append, discard

cdef enum:
    N_FIELDS = 6                # first, stop, form begin, form end, MISC begin, MISC end


def read_ranges(bytes source not None, const int64_t[::1] begins not None, const int64_t[::1] ends not None):
    """Where the multiword tokens of some sentences stand.

    Args:
        source: the bytes, as the reader has accepted them.
        begins: where each sentence begins.
        ends: where it ends.

    Returns:
        An int64 array of six numbers per multiword token, in order: its first word and the one after its last, counted
        from 0 through all sentences; begin and end of its form and of its MISC in the source.
    """
    cdef Array found = Array(NULL, 0, 0)
    cdef const uint8_t* bytes_ = <const uint8_t*>source
    cdef int64_t size = len(source), n = begins.shape[0], i, n_words = 0
    if ends.shape[0] != n:
        raise IndexError(f"{n} sentences begin and {ends.shape[0]} end")
    for i in range(n):
        if not 0 <= begins[i] <= ends[i] <= size:
            raise IndexError(f"no sentence of {size} bytes stands at {begins[i]}..{ends[i]}")
    with nogil:
        for i in range(n):
            n_words = read_sentence(&found, bytes_, begins[i], ends[i], n_words)
            if n_words < 0:
                break
    if n_words < 0:
        discard(&found)
        raise MemoryError("cannot allocate the list of multiword tokens")
    return Vector.adopt(&found, b"q").array().reshape(-1, N_FIELDS)


cdef int64_t read_sentence(
    Array* found, const uint8_t* source, int64_t at, int64_t end, int64_t n_words
) noexcept nogil:
    """Add the ranges of one sentence; the number of words so far, or -1 without memory."""
    cdef const uint8_t* feed
    cdef int64_t stop, first, last, id_end
    cdef int64_t before = n_words
    while at < end:
        feed = <const uint8_t*>memchr(source + at, c"\n", <size_t>(end - at))
        stop = end if feed == NULL else feed - source
        first = digits(source, at, stop, &id_end)
        if id_end > at and id_end < stop:
            if source[id_end] == c"\t":
                n_words += 1
            elif source[id_end] == c"-":
                last = digits(source, id_end + 1, stop, &id_end)
                if add(found, source, id_end, stop, before + first - 1, before + last):
                    return -1
        at = stop + 1
    return n_words


cdef inline int64_t digits(const uint8_t* source, int64_t at, int64_t end, int64_t* after) noexcept nogil:
    """The number at a place, and where it ends; the reader has seen that it is small."""
    cdef int64_t value = 0
    while at < end and c"0" <= source[at] <= c"9":
        value = value * 10 + (source[at] - c"0")
        at += 1
    after[0] = at
    return value


cdef int add(
    Array* found, const uint8_t* source, int64_t at, int64_t end, int64_t first, int64_t stop
) noexcept nogil:
    """One multiword token whose ID ends at `at` and whose line ends at `end`: 0, or -1 without memory."""
    cdef int64_t form = at + 1, form_end = at + 1, misc
    while end > form and source[end - 1] == c"\r":
        end -= 1
    while form_end < end and source[form_end] != c"\t":
        form_end += 1
    misc = end
    while misc > form_end and source[misc - 1] != c"\t":
        misc -= 1
    return (
        append(found, first) or append(found, stop) or append(found, form) or append(found, form_end)
        or append(found, misc) or append(found, end)
    )
