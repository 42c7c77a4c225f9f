"""From the tokens of a unit to its sentences."""

from fastparse.text.model cimport Model
from fastparse.text.unit cimport Unit

cdef enum:
    LONGEST_SENTENCE = 2000     # tokens; a sentence is ended there if nothing has ended it before

cdef void split_sentences(const Model* m, Unit* u, bint lines) noexcept nogil
