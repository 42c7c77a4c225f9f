"""The writer of columns that have no source: plain CoNLL-U, with comments and the lines that hold no word."""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from libc.stdint cimport int32_t, int64_t

import numpy

from fastparse.corpus.strings.interning cimport StringTable
from fastparse.corpus.conllu.put cimport put, put_head, put_number

cdef extern from "Python.h":
    # As pointers, because a string may only be resized while nothing else refers to it.
    PyObject* PyBytes_FromStringAndSize(const char* text, Py_ssize_t size) except NULL
    char* PyBytes_AS_STRING(PyObject* string) nogil
    int _PyBytes_Resize(PyObject** string, Py_ssize_t size) except -1

cdef enum:
    NUMBER_DIGITS = 10          # of a number in a line, at most
    HEAD = 6                    # numbers of columns, ID being 0
    DEPREL = 7
    DEPS = 8
    N_COLUMNS = 10


cdef struct Cells:
    # A column of strings.
    const int32_t* ids          # [n_words]  -1 is `_`; NULL: `_` throughout
    const char* text            # borrowed from the table, which the caller keeps alive
    const int64_t* begins
    const int32_t* lengths


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
    cdef int column
    cdef bytes piece
    cdef const int32_t[::1] ids
    cdef StringTable table
    cdef PyObject* raw
    cdef char* begin
    cdef char* out
    cdef list kept = []
    if n < 0 or offsets[0] != 0 or offsets[n] != n_words:
        raise ValueError(f"offsets do not run from 0 to the number of words, {n_words}")
    for i in range(n):
        if offsets[i + 1] < offsets[i]:
            raise ValueError(f"offsets fall behind sentence {i}")
    bound = n + n_words * ((N_COLUMNS + 3) * 2 + NUMBER_DIGITS * 3)
    for column in range(N_COLUMNS):
        cells[column].ids = NULL
    for number, (given, strings) in columns.items():
        column = number
        ids = given
        table = strings
        kept.append((ids, table))
        if not 0 < column < N_COLUMNS or column == HEAD or ids.shape[0] != n_words:
            raise ValueError(f"column {column} with {ids.shape[0]} cells for {n_words} words cannot be written")
        cells[column].text = <const char*>table.source
        cells[column].begins = <const int64_t*>table.begins.data
        cells[column].lengths = <const int32_t*>table.lengths.data
        cells[column].ids = &ids[0] if n_words else NULL
        for i in range(n_words):
            if not -1 <= ids[i] < table.begins.size:
                raise ValueError(f"id {ids[i]} of column {column} is none of its {table.begins.size} strings")
            if ids[i] >= 0:
                bound += cells[column].lengths[ids[i]] * (2 if column == DEPREL and copy_deps else 1)
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
        elif column == DEPS and copy_deps:
            out = put_head(out, head)
            if head >= 0:
                out[0] = c":"
                out = put_cell(out + 1, &cells[DEPREL], word)
        else:
            out = put_cell(out, &cells[column], word)
    out[0] = c"\n"
    return out + 1


cdef inline char* put_cell(char* out, const Cells* cells, int64_t word) noexcept nogil:
    if cells.ids == NULL or cells.ids[word] < 0:
        out[0] = c"_"
        return out + 1
    return put(out, cells.text + cells.begins[cells.ids[word]], cells.lengths[cells.ids[word]])
