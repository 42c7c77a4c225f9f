"""Sentences in columns as compiled code makes and takes them, without a numpy array."""

from libc.stdint cimport int32_t, int64_t

from fastparse.corpus.strings.interning cimport StringTable
from fastparse.corpus.strings.vectors cimport Vector

cdef enum:                      # columns of strings that words have
    FORM
    LEMMA
    UPOS
    XPOS
    FEATS
    N_STRINGS

cdef class Sheet:
    cdef readonly Py_ssize_t n_sentences, n_words
    cdef const int64_t* offsets         # [n_sentences + 1]
    cdef const int32_t* ids[N_STRINGS]  # [n_words] places in the table of the column; NULL: `_` throughout
    cdef readonly Vector heads          # [n_words] int32; None: -1 throughout
    cdef readonly Vector labels         # [n_words] int32, places in label_names; None: 0 throughout
    cdef readonly list label_names
    cdef list tables                    # a StringTable per column
    cdef list owners                    # what holds the memory of `ids`: a Vector or an array each
    cdef object offsets_owner
    cdef dict others                    # DEPS and MISC, if they are at hand: name -> (array of ids, StringTable)
    cdef readonly object source         # a Layout, a Tokenization or None
    cdef object failures, sent_ids, replaced

    cdef inline StringTable table(self, int column):
        return <StringTable>self.tables[column]

    cdef int set_cells(self, int column, Vector ids, StringTable table) except -1
    cdef Sheet copied(self, bint trees)
    cdef tuple cells(self)
# Ids are places in a table: raises IndexError at the first that is none.
cdef int require_places(const int32_t* ids, int64_t first, int64_t last, StringTable table) except -1
