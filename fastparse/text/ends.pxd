"""What decides whether a sentence ends with a token."""

from libc.stdint cimport int32_t, uint64_t

from fastparse.text.unit cimport Unit

cdef enum:
    N_FIRST_END_FEATURES = 10   # those by which most tokens are ruled out
    N_OTHER_END_FEATURES = 32
    N_END_FEATURES = 42

cdef struct Sentence:
    # The sentence so far.
    int32_t first               # its first token
    int32_t n_quotes            # marks of quotation that have no direction
    int32_t depth               # brackets opened and not closed
    int32_t last_stop           # the last token that ends sentences, or first - 1

cdef struct Style:
    # How the unit is written.
    int32_t stops               # 0 to 3: how often marks end sentences, by the logarithm of words per mark
    int32_t capitals            # 0: none; 1: few; 2: as usual; 3: only capitals

cdef Style style_of(const Unit* u) noexcept nogil
cdef void first_end_features(
    const Unit* u, int32_t token, const Sentence* s, const Style* y, uint64_t* keys) noexcept nogil
cdef void other_end_features(
    const Unit* u, int32_t token, const Sentence* s, const Style* y, uint64_t* keys) noexcept nogil
