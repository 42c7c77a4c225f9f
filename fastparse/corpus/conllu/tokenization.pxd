"""The tokens of running text, in the sentences of a tokenizer: what CoNLL-U holds of them besides columns."""

from libc.stdint cimport int64_t, uint8_t

from fastparse.corpus.strings.interning cimport Interner, StringTable
from fastparse.corpus.strings.vectors cimport Array, Vector

cdef enum:
    MOST_SPACE = 1 << 20        # characters of white space on end that are kept; those after them are left out

cdef class Tokenization:
    cdef readonly bytes text    # UTF-8, but for surrogates, each three bytes long
    cdef readonly StringTable forms     # of the words; None while the object is filled
    cdef public object read     # the Layout of `source()`, once somebody has asked for it
    cdef int64_t stop           # where the white space after the last token ends in the text
    cdef bint final             # whether the text ends there, so that even a single space is noted
    cdef Array spans            # int64, two per token: where it begins and ends in the text
    cdef Array firsts           # int64, sentences + 1: the tokens before each
    cdef Array paragraphs       # int64: the sentences that begin a paragraph
    cdef Array several          # int64, two per token of several words: its place and how many words it has
    cdef Array before           # int64, two per token with white space of its own before it: its place, where it begins
    cdef Array documents        # int64, four per text of several: where it begins and ends, and its sentences
    cdef Array places           # int64, two per token: the characters where it begins and ends; empty if unwanted
    cdef Array pool             # the bytes of the distinct forms, while the object is filled
    cdef Interner interner      # of these
    cdef Array word_ids         # int32 per word: its form, while the object is filled
    cdef Array word_offsets     # int64, sentences + 1: the words before each, while the object is filled
    cdef Vector ids_            # the two, afterwards
    cdef Vector offsets_

    cdef int add_word(self, const uint8_t* form, int64_t size, const uint8_t* limit) noexcept nogil
    cdef int end_sentence(self) noexcept nogil
    cdef Tokenization finished(self)
