"""Columns of strings as the writers have them."""

from libc.stdint cimport int32_t, int64_t

from fastparse.corpus.conllu.put cimport put_short

cdef enum:                      # numbers of columns, ID being 0
    HEAD = 6
    DEPREL = 7
    DEPS_COLUMN = 8
    MISC = 9
    N_COLUMNS = 10

cdef struct Cells:
    # A column.
    const int32_t* ids          # [n_words]  -1 is `_`; NULL: there is no such column
    const char* text            # borrowed from the table, which the caller keeps alive, as the ids
    const char* limit           # where that ends
    const int64_t* begins
    const int32_t* lengths
    int64_t n_strings

cdef int fill(Cells* cells, dict columns, int64_t n_words) except -1
cdef int64_t room_of(const Cells* cells, int64_t first, int64_t last) noexcept nogil

cdef inline char* put_cell(char* out, const Cells* cells, int64_t word) noexcept nogil:
    """The cell of a word; room for SLACK bytes more is needed."""
    cdef int32_t id = -1 if cells.ids == NULL else cells.ids[word]
    if id < 0:
        out[0] = c"_"
        return out + 1
    return put_short(out, cells.text + cells.begins[id], cells.lengths[id], cells.limit)
