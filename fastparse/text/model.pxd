"""What the steps of the tokenizer share: the tables of a model, and the recorder that collects cases to learn from."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from fastparse.text.characters cimport Alphabet
from fastparse.text.recorder cimport Recorder, record
from fastparse.text.weights cimport Weights, total

cdef enum:
    JOIN, SPLIT, ASK            # what is known of a gap between characters: never, always, or the weights decide

cdef enum:                      # bits of the marks of a text whose outcome is known, at the first byte of a token
    TOKEN_BEGINS = 1
    SENTENCE_BEGINS = 2
    HAS_WORDS = 4               # a multiword token

cdef enum:                      # the decisions
    GAP, END, WORDS, N_DECISIONS

cdef struct Lexicon:
    # Borrowed from arrays; two tables of (key, value), open addressing, key 0 is empty.
    const uint64_t* keys        # [mask + 1] hashes of folded forms and suffixes
    const int32_t* values       # [mask + 1]
    uint64_t mask
    const uint8_t* rules        # bytes of all rules
    const int32_t* starts       # [n_rules + 1] where each begins
    int32_t n_rules
    int32_t longest             # suffix, in characters
    uint64_t last               # bits of the last characters of all suffixes, modulo 64

cdef struct Model:
    Alphabet alphabet
    const uint8_t* gaps         # [N_KINDS * N_KINDS] JOIN, SPLIT or ASK between neighbours of these kinds
    const uint8_t* spaces       # [N_KINDS * N_KINDS] the same across a single space
    const uint8_t* ends         # [N_SHAPES * N_SHAPES * 2] JOIN or ASK between tokens without (0) or with (1) space
    Weights weights[N_DECISIONS]
    int32_t least               # a token whose first features do not sum to more ends no sentence
    Lexicon lexicon
    Recorder* recorder          # [N_DECISIONS] while recording; otherwise NULL
    const uint8_t* marks        # of every byte of a text whose outcome is known; otherwise NULL

cdef inline bint decide(const Model* m, int which, const uint64_t* keys, int32_t n, bint known) noexcept nogil:
    """What the weights say; where the outcome is known, that."""
    if m.marks != NULL:
        if m.recorder != NULL:
            record(&m.recorder[which], keys, n, known)
        return known
    return total(&m.weights[which], keys, n) > 0
