"""Writing CoNLL-U and CoNLL-X: the source bytes again, with the cells HEAD and DEPREL (and others, if asked) of now; or
plain CoNLL-U of columns that have no source, with comments and the lines that hold no word."""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from libc.stdint cimport int32_t, int64_t

import numpy

from fastparse.corpus.conllu.put cimport SLACK, put, put_head, put_number
from fastparse.corpus.strings.interning cimport StringTable

cdef extern from "Python.h":
    # As pointers, because a string may only be resized while nothing else refers to it.
    PyObject* PyBytes_FromStringAndSize(const char* text, Py_ssize_t size) except NULL
    char* PyBytes_AS_STRING(PyObject* string) nogil
    int _PyBytes_Resize(PyObject** string, Py_ssize_t size) except -1

cdef enum:
    KEEP, COPY, BLANK           # what becomes of the column DEPS
    HEAD_DIGITS = 10            # of a head at most

DEPS = {"keep": KEEP, "copy": COPY, "blank": BLANK}


cdef int fill(Cells* cells, dict columns, int64_t n_words) except -1:
    """Fill N_COLUMNS cells from ids (int32 per word, -1 for `_`) and StringTables by number."""
    cdef const int32_t[::1] ids
    cdef StringTable table
    cdef int column
    for column in range(N_COLUMNS):
        cells[column].ids = NULL
    for number, (given, strings) in columns.items():
        column = number
        ids = given
        table = strings
        if not 0 < column < N_COLUMNS or column == HEAD or ids.shape[0] != n_words:
            raise ValueError(f"column {column} with {ids.shape[0]} cells for {n_words} words cannot be written")
        cells[column].text = <const char*>table.source
        cells[column].limit = cells[column].text + len(table.source)
        cells[column].begins = <const int64_t*>table.begins.data
        cells[column].lengths = <const int32_t*>table.lengths.data
        cells[column].n_strings = table.begins.size
        cells[column].ids = &ids[0] if n_words else NULL
    return 0


cdef int64_t room_of(const Cells* cells, int64_t first, int64_t last) noexcept nogil:
    """The bytes of the cells of some words; -1 if an id is none of the table's."""
    cdef int64_t i, size = 0
    cdef int32_t id
    if cells.ids == NULL:
        return last - first
    for i in range(first, last):
        id = cells.ids[i]
        if not -1 <= id < cells.n_strings:
            return -1
        size += 1 if id < 0 else cells.lengths[id]
    return size


cdef int64_t room_for(const Cells* cells, int64_t n_words, bint copy_deps) except -1:
    """The bytes of all cells, after every id has been looked at."""
    cdef int64_t size = SLACK, found
    cdef int column
    for column in range(N_COLUMNS):
        found = room_of(&cells[column], 0, n_words)
        if found < 0:
            raise ValueError(f"ids of column {column} are not those of its {cells[column].n_strings} strings")
        size += found * (1 + (column == DEPREL and copy_deps))
    return size


def unwritable(const int32_t[::1] heads not None, const int64_t[::1] offsets not None,
               const int32_t[::1] label_ids not None, int64_t n_labels):
    """The first word whose head is none of its sentence, and the first whose label is in no table; -1 for none.

    Args:
        heads: -1 for none, 0 for the root.
        offsets: where each sentence begins, and the number of words.
        label_ids: -1 for none.
    """
    cdef int64_t n = offsets.shape[0] - 1, s, i, head = -1, label = -1
    if label_ids.shape[0] != heads.shape[0] or (n >= 0 and not 0 <= offsets[0] <= offsets[n] <= heads.shape[0]):
        raise ValueError(f"{heads.shape[0]} heads and {label_ids.shape[0]} labels: numbers differ")
    with nogil:
        for s in range(n):
            for i in range(offsets[s], offsets[s + 1]):
                if not -1 <= heads[i] <= offsets[s + 1] - offsets[s] and head < 0:
                    head = i
                if not -1 <= label_ids[i] < n_labels and label < 0:
                    label = i
    return head, label


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
           deprel_ids, StringTable labels not None, *, int deps, bint close, dict others=None):
    """The bytes of the spans, with new heads and labels in the lines of the words.

    Args:
        source: what the words were read from.
        spans: pairs (begin, end) of what to write, in order.
        head_at: where the cell HEAD of each word begins; the words stand in the order of the spans.
        heads: -1 is written as `_`.
        deprel_ids: -1 is written as `_`.
        labels: the labels by id.
        deps: 0 leaves the column DEPS as it is, 1 writes `head:label`, 2 writes `_`.
        close: whether to end every span with a blank line where it has none.
        others: further columns to write, by number (ID being 0): ids as for labels, and a StringTable.
    """
    cdef int64_t n_words = heads.shape[0], n_spans = spans.shape[0] // 2
    cdef int64_t i, size = len(source), bound = 0, written = 0
    cdef Cells cells[N_COLUMNS]
    cdef const char* text = <const char*>source
    cdef PyObject* raw
    cdef object result
    cdef bint more = bool(others)
    if head_at.shape[0] != n_words:
        raise ValueError(f"{n_words} heads, {head_at.shape[0]} places: numbers differ")
    for i in range(n_spans):
        if not 0 <= spans[2 * i] <= spans[2 * i + 1] <= size:
            raise IndexError(f"span {spans[2 * i]}..{spans[2 * i + 1]} lies outside the {size} bytes of the source")
        bound += spans[2 * i + 1] - spans[2 * i] + 2
    columns = {**({} if others is None else others), DEPREL: (deprel_ids, labels)}
    fill(cells, columns, n_words)
    bound += room_for(cells, n_words, deps == COPY) + n_words * (HEAD_DIGITS + 2) * (1 + (deps == COPY))
    raw = PyBytes_FromStringAndSize(NULL, bound)
    with nogil:
        written = write_spans(PyBytes_AS_STRING(raw), text, spans, head_at, heads, cells, more, deps, close)
    _PyBytes_Resize(&raw, written if written > 0 else 0)
    result = <object>raw
    Py_DECREF(result)
    if written < 0:
        raise ValueError("the words do not stand in the order of the spans")
    return result


cdef int64_t write_spans(
    char* begin, const char* source, const int64_t[::1] spans, const int64_t[::1] head_at, const int32_t[::1] heads,
    const Cells* cells, bint others, int deps, bint close
) noexcept nogil:
    """Number of bytes written, or -1 when a word lies in no span."""
    cdef char* out = begin
    cdef int64_t i, at, end, word = 0, n_words = heads.shape[0], cell
    for i in range(spans.shape[0] // 2):
        at = spans[2 * i]
        end = spans[2 * i + 1]
        while word < n_words and at <= head_at[word] < end:
            if others:
                out = put_before_head(out, source, at, head_at[word], cells, word)
            else:
                out = put(out, source + at, head_at[word] - at)
            out = put_head(out, heads[word])
            out[0] = c"\t"
            out = put_cell(out + 1, &cells[DEPREL], word)
            cell = cell_end(source, head_at[word], end)
            at = cell_end(source, cell + 1, end)
            if deps != KEEP and at < end and source[at] == c"\t":
                out[0] = c"\t"
                out += 1
                if deps == COPY and heads[word] >= 0:
                    out = put_head(out, heads[word])
                    out[0] = c":"
                    out = put_cell(out + 1, &cells[DEPREL], word)
                else:
                    out[0] = c"_"
                    out += 1
                at = cell_end(source, at + 1, end)
            if cells[MISC].ids != NULL or cells[DEPS_COLUMN].ids != NULL:
                out = put_behind_deps(out, source, &at, end, deps != KEEP, cells, word)
            word += 1
        out = put(out, source + at, end - at)
        if close:
            out = put_blank_line(begin, out)
    return out - begin if word == n_words else -1


cdef char* put_before_head(char* out, const char* source, int64_t at, int64_t head_at, const Cells* cells,
                           int64_t word) noexcept nogil:
    """The source up to the cell HEAD, with the cells of other columns left of it."""
    cdef int64_t ends[HEAD]                 # where the cells left of HEAD end
    cdef int64_t begin = head_at
    cdef int column = HEAD
    while begin > at and source[begin - 1] != c"\n":
        begin -= 1
        if source[begin] == c"\t" and column > 0:
            column -= 1
            ends[column] = begin
    if column == 0:
        for column in range(1, HEAD):
            if cells[column].ids != NULL:
                out = put(out, source + at, ends[column - 1] + 1 - at)
                out = put_cell(out, &cells[column], word)
                at = ends[column]
    return put(out, source + at, head_at - at)


cdef char* put_behind_deps(char* out, const char* source, int64_t* at, int64_t end, bint past_deps, const Cells* cells,
                           int64_t word) noexcept nogil:
    """The cells DEPS, unless it is written already, and MISC; `at` is where the last cell written ends."""
    cdef int64_t stop
    cdef int column
    for column in range(DEPS_COLUMN + past_deps, N_COLUMNS):
        if at[0] >= end or source[at[0]] != c"\t":
            break
        stop = cell_end(source, at[0] + 1, end)
        out[0] = c"\t"
        out += 1
        if cells[column].ids == NULL:
            out = put(out, source + at[0] + 1, stop - at[0] - 1)
        else:
            out = put_cell(out, &cells[column], word)
        at[0] = stop
    return out


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


# Columns without a source


def assemble(const int64_t[::1] offsets not None, const int32_t[::1] heads not None, dict columns not None,
             list headers, list lines, const int64_t[::1] line_sentence, const int32_t[::1] line_at, *, bint copy_deps):
    """CoNLL-U of sentences in columns.

    Args:
        offsets: where each sentence begins, and the number of words.
        heads: -1 is written as `_`.
        columns: ids (int32 per word, -1 for `_`) and StringTable by number, ID being 0; `_` for those that are missing.
        headers: what stands before the words of each sentence, with its line end; or None.
        lines: lines that hold no word, without line end, in order; or None.
        line_sentence, line_at: the sentence of each of these, and how many of its words stand before it.
        copy_deps: whether to write `head:label` to DEPS rather than its column.

    Returns:
        The bytes, and where each sentence ends in them (int64).
    """
    cdef int64_t n = offsets.shape[0] - 1, n_words = heads.shape[0], bound, s, word, i, line = 0, n_lines = 0
    cdef Cells cells[N_COLUMNS]
    cdef bytes piece
    cdef PyObject* raw
    cdef char* begin
    cdef char* out
    if n < 0 or offsets[0] != 0 or offsets[n] != n_words:
        raise ValueError(f"offsets do not run from 0 to the number of words, {n_words}")
    for i in range(n):
        if offsets[i + 1] < offsets[i]:
            raise ValueError(f"offsets fall behind sentence {i}")
    bound = n + n_words * ((N_COLUMNS + 3) * 2 + HEAD_DIGITS * 3)
    fill(cells, columns, n_words)
    bound += room_for(cells, n_words, copy_deps)
    if headers is not None:
        bound += sum(map(len, filter(None, headers)))
    if lines is not None:
        n_lines = len(lines)
        bound += sum(map(len, lines)) + n_lines
    ends = numpy.zeros(n, numpy.int64)
    cdef int64_t[::1] ends_ = ends
    raw = PyBytes_FromStringAndSize(NULL, bound)
    begin = out = PyBytes_AS_STRING(raw)
    for s in range(n):
        if headers is not None and headers[s]:
            piece = headers[s]
            out = put(out, <const char*>piece, len(piece))
        word = offsets[s]
        while True:
            while line < n_lines and line_sentence[line] == s and line_at[line] <= word - offsets[s]:
                piece = lines[line]
                out = put(out, <const char*>piece, len(piece))
                out[0] = c"\n"
                out += 1
                line += 1
            if word == offsets[s + 1]:
                break
            out = put_word(out, cells, heads[word], word, word - offsets[s] + 1, copy_deps)
            word += 1
        out[0] = c"\n"
        out += 1
        ends_[s] = out - begin
    _PyBytes_Resize(&raw, out - begin)
    result = <object>raw
    Py_DECREF(result)
    if line != n_lines:
        raise ValueError("the lines do not stand in the order of the sentences")
    return result, ends


cdef char* put_word(char* out, const Cells* cells, int32_t head, int64_t word, int64_t number,
                    bint copy_deps) noexcept nogil:
    """The line of a word."""
    cdef int column
    out = put_number(out, number)
    for column in range(1, N_COLUMNS):
        out[0] = c"\t"
        out += 1
        if column == HEAD:
            out = put_head(out, head)
        elif column == DEPS_COLUMN and copy_deps:
            out = put_head(out, head)
            if head >= 0:
                out[0] = c":"
                out = put_cell(out + 1, &cells[DEPREL], word)
        else:
            out = put_cell(out, &cells[column], word)
    out[0] = c"\n"
    return out + 1
