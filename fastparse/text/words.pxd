"""Multiword tokens: which tokens they are, and what words they hold.

A rule is a row of bytes: the number of words, then for each word the part of the token it begins with, from a character
to another (counted from the end if negative; WHOLE is the end), and what follows that part, in lower case, with a
capital and in capitals, each as its length in bytes and so many bytes.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastparse.text.model cimport Lexicon, Model
from fastparse.text.unit cimport Unit

cdef enum:
    N_WORD_FEATURES = 20
    WHOLE = 127                 # as the end of a part: that of the token
    MOST_WORDS = 16             # of a rule
    LONGEST_SUFFIX = 8

cdef enum:                      # what a value of the lexicon says, besides 4 times the rule
    IS_TOKEN, IS_WORDS, MAY_BE_WORDS

cdef uint64_t form_key(uint64_t hash) noexcept nogil
cdef int32_t find(const Lexicon* x, uint64_t key) noexcept nogil
cdef int32_t rule_of(const Model* m, const Unit* u, int32_t token) noexcept nogil
