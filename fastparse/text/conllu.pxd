"""Writing the sentences of a unit as CoNLL-U."""

from libc.stdint cimport int64_t, uint8_t

from fastparse.corpus.strings.vectors cimport Array
from fastparse.text.model cimport Model
from fastparse.text.unit cimport Unit

cdef struct Writer:
    Array out                   # bytes written; owned by the caller
    Array word                  # bytes of the words of one token, scratch; owned by the caller
    int64_t n_sentences         # written so far: the last sent_id
    int64_t n_words             # in these
    int64_t place               # characters of the text before the unit's first character
    bint offsets                # whether to write TokenRange
    bint new_paragraph          # whether the next sentence begins one
    bint words                  # whether multiword tokens are taken apart
    bint last                   # whether the text ends with the unit

cdef int write_unit(Writer* w, const Model* m, const Unit* u, const uint8_t* text) noexcept nogil
