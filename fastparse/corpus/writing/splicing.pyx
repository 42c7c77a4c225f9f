"""The writer: the source bytes again, with the cells HEAD and DEPREL (and DEPS, if asked) as they are now."""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef extern from "Python.h":
    # As pointers, because a string may only be resized while nothing else refers to it.
    PyObject* PyBytes_FromStringAndSize(const char* text, Py_ssize_t size) except NULL
    char* PyBytes_AS_STRING(PyObject* string) nogil
    int _PyBytes_Resize(PyObject** string, Py_ssize_t size) except -1

cdef enum:
    KEEP, COPY, BLANK           # what becomes of the column DEPS
    MAX_DIGITS = 10             # of a head

DEPS = {"keep": KEEP, "copy": COPY, "blank": BLANK}


cdef struct Label:
    const char* text            # borrowed from a bytes object the caller holds
    int64_t length


cdef inline char* put(char* out, const char* text, int64_t size) noexcept nogil:
    memcpy(out, text, <size_t>size)
    return out + size


cdef inline char* put_head(char* out, int32_t head) noexcept nogil:
    """A head in decimal; `_` for none."""
    cdef char digits[MAX_DIGITS]
    cdef int at = MAX_DIGITS
    if head < 0:
        out[0] = c"_"
        return out + 1
    while True:
        at -= 1
        digits[at] = <char>(c"0" + head % 10)
        head //= 10
        if head == 0:
            break
    return put(out, digits + at, MAX_DIGITS - at)


cdef inline int64_t cell_end(const char* source, int64_t begin, int64_t end) noexcept nogil:
    """Where the cell that begins at `begin` ends: at a tab or before the line end."""
    cdef int64_t at = begin
    while at < end and source[at] != c"\t" and source[at] != c"\n":
        at += 1
    if at == end or source[at] == c"\n":
        while at > begin and source[at - 1] == c"\r":
            at -= 1
    return at


def splice(bytes source, const int64_t[::1] spans, const int64_t[::1] head_at, const int32_t[::1] heads,
           const int32_t[::1] deprel_ids, list labels, *, int deps, bint close):
    """The bytes of the spans, with new heads and labels in the lines of the words.

    Args:
        source: what the words were read from.
        spans: pairs (begin, end) of what to write, in order.
        head_at: where the cell HEAD of each word begins; the words stand in the order of the spans.
        heads: -1 is written as `_`.
        deprel_ids: -1 is written as `_`.
        labels: the labels by id, in UTF-8.
        deps: 0 leaves the column DEPS as it is, 1 writes `head:label`, 2 writes `_`.
        close: whether to end every span with a blank line where it has none.
    """
    cdef int64_t n_words = heads.shape[0], n_spans = spans.shape[0] // 2, n_labels = len(labels)
    cdef int64_t i, size = len(source), bound = 0
    cdef Label* table
    cdef const char* text = <const char*>source
    cdef PyObject* raw
    cdef object result
    cdef int64_t written
    if head_at.shape[0] != n_words or deprel_ids.shape[0] != n_words:
        raise ValueError(f"{n_words} heads, {deprel_ids.shape[0]} labels, {head_at.shape[0]} places: numbers differ")
    for i in range(n_spans):
        if not 0 <= spans[2 * i] <= spans[2 * i + 1] <= size:
            raise IndexError(f"span {spans[2 * i]}..{spans[2 * i + 1]} lies outside the {size} bytes of the source")
        bound += spans[2 * i + 1] - spans[2 * i] + 2
    table = <Label*>malloc((n_labels + 1) * sizeof(Label))
    if table == NULL:
        raise MemoryError(f"cannot allocate {n_labels} labels")
    try:
        table[0] = Label(b"_", 1)
        for i in range(n_labels):
            table[i + 1] = Label(<bytes>labels[i], len(<bytes>labels[i]))
        for i in range(n_words):
            if not -1 <= deprel_ids[i] < n_labels:
                raise IndexError(f"label id {deprel_ids[i]} of word {i + 1} is not one of the {n_labels} in the table")
            bound += (table[deprel_ids[i] + 1].length + MAX_DIGITS + 2) * (1 + (deps == COPY))
        raw = PyBytes_FromStringAndSize(NULL, bound)
        with nogil:
            written = write_spans(
                PyBytes_AS_STRING(raw), text, spans, head_at, heads, deprel_ids, table, deps, close)
        _PyBytes_Resize(&raw, written if written > 0 else 0)
        result = <object>raw
        Py_DECREF(result)
    finally:
        free(table)
    if written < 0:
        raise ValueError("the words do not stand in the order of the spans")
    return result


cdef int64_t write_spans(
    char* begin, const char* source, const int64_t[::1] spans, const int64_t[::1] head_at, const int32_t[::1] heads,
    const int32_t[::1] deprel_ids, const Label* table, int deps, bint close
) noexcept nogil:
    """Number of bytes written, or -1 when a word lies in no span."""
    cdef char* out = begin
    cdef int64_t i, at, end, word = 0, n_words = heads.shape[0], cell
    cdef Label label
    for i in range(spans.shape[0] // 2):
        at = spans[2 * i]
        end = spans[2 * i + 1]
        while word < n_words and at <= head_at[word] < end:
            out = put(out, source + at, head_at[word] - at)
            label = table[deprel_ids[word] + 1]
            out = put_head(out, heads[word])
            out[0] = c"\t"
            out = put(out + 1, label.text, label.length)
            cell = cell_end(source, head_at[word], end)
            at = cell_end(source, cell + 1, end)
            if deps != KEEP and at < end and source[at] == c"\t":
                out[0] = c"\t"
                out += 1
                if deps == COPY and heads[word] >= 0:
                    out = put_head(out, heads[word])
                    out[0] = c":"
                    out = put(out + 1, label.text, label.length)
                else:
                    out[0] = c"_"
                    out += 1
                at = cell_end(source, at + 1, end)
            word += 1
        out = put(out, source + at, end - at)
        if close:
            out = put_blank_line(begin, out)
    return out - begin if word == n_words else -1


cdef inline char* put_blank_line(const char* begin, char* out) noexcept nogil:
    """End the last sentence with a blank line unless it has one."""
    cdef int64_t size = out - begin
    if size == 0:
        return out
    if (out - 1)[0] != c"\n":
        return put(out, b"\n\n", 2)
    size -= 1
    while size > 0 and (begin[size - 1] == c" " or begin[size - 1] == c"\t" or begin[size - 1] == c"\r"):
        size -= 1
    if size == 0 or begin[size - 1] == c"\n":
        return out
    return put(out, b"\n", 1)
