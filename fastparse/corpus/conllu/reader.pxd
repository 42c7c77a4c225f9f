"""One pass over the bytes of a treebank: checks every line and fills columns."""

from libc.stdint cimport int32_t, int64_t

from fastparse.corpus.strings.interning cimport Interner
from fastparse.corpus.strings.vectors cimport Array

cdef enum:
    # Columns with ids, in the order they stand in a line; HEAD, between FEATS and DEPREL, is a number of its own.
    FORM, LEMMA, UPOS, XPOS, FEATS, DEPREL, N_COLUMNS

cdef enum Fault:
    NO_FAULT, NO_MEMORY, WRONG_COLUMNS, WRONG_ID, ID_OUT_OF_ORDER, WRONG_RANGE, WRONG_NODE, HEAD_NOT_A_NUMBER,
    HEAD_OUT_OF_RANGE, NOT_UTF8, NO_WORDS, LINE_TOO_LONG, TOO_MANY_WORDS

cdef struct Problem:
    Fault fault
    int64_t line                # 1 is the first line of the block
    int64_t begin, end          # the offending line, without its line end
    int64_t detail              # what the message names: columns found, id expected, offset of the invalid byte
    int64_t sentence_begin, sentence_end

cdef class Columns:
    cdef bytes source
    cdef Array ids[N_COLUMNS]   # int32 per word
    cdef Array heads            # int32 per word
    cdef Array head_at          # int64 per word: where its cell HEAD begins in the source
    cdef Array offsets          # int64, sentences + 1
    cdef Array begins           # int64 per sentence: where its bytes begin, comments included
    cdef Array ends             # int64 per sentence: where they end, the blank line included
    cdef Array lines            # int64 per sentence: its first line; 1 is the first line of the block
    cdef Array left_out         # int64 pairs (begin, end): sentences with a problem, neighbours joined
    cdef Interner interners[N_COLUMNS]
    cdef int64_t consumed       # everything before this offset is read
    cdef int64_t n_lines        # lines before that offset
    cdef int64_t n_problems
    cdef int n_columns          # 10, 8, or 0 while unknown
    cdef bint heads_read        # whether the column HEAD is; otherwise it may hold anything, and all heads are -1
