"""Adding the tokens of a unit to a tokenization."""

from libc.stdint cimport int64_t, uint8_t

from fastparse.corpus.conllu.tokenization cimport Tokenization
from fastparse.corpus.strings.vectors cimport Array
from fastparse.text.model cimport Model
from fastparse.text.unit cimport Unit

cdef int add_unit(Tokenization out, Array* word, const Model* m, const Unit* u, const uint8_t* text,
                  bint words) noexcept nogil
cdef int add_places(Array* places, const Unit* u, int64_t before) noexcept nogil
