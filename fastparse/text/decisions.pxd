"""What decides where tokens and sentences end, and which tokens are several words: the tables of a model."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from fastparse.text.cases cimport Recorder
from fastparse.text.units cimport Alphabet, Unit

cdef struct Weights:
    # Feature key -> small integer, in buckets of two slots: each has 16 bits of the key (zero: empty) and a weight
    # of as many, signed. Keys that do not find room are left out when the table is built, the smallest weights first.
    const uint64_t* buckets     # [mask + 1] borrowed from the array of a WeightTable
    uint64_t mask               # a power of two less one
    int32_t bias                # the sum without any feature

cdef class WeightTable:
    cdef Weights w
    cdef readonly object buckets

cdef enum:
    JOIN, SPLIT, ASK            # what is known of a gap between characters: never, always, or the weights decide

cdef enum:                      # bits of the marks of a text whose outcome is known, at the first byte of a token
    TOKEN_BEGINS = 1
    SENTENCE_BEGINS = 2
    HAS_WORDS = 4               # a multiword token

cdef enum:
    N_END_FEATURES = 54         # of the decision whether a sentence ends,
    N_OLD_END_FEATURES = 42     # in models of version 1
    N_FIRST_END_FEATURES = 10   # those by which most tokens are ruled out as ends of sentences

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
    int32_t n_end_features      # of the decision whether a sentence ends; models of version 1 have fewer
    int32_t least               # a token whose first features do not sum to more ends no sentence
    Lexicon lexicon
    Recorder* recorder          # [N_DECISIONS] while recording; otherwise NULL
    const uint8_t* marks        # of every byte of a text whose outcome is known; otherwise NULL

cdef enum:                      # shapes of tokens: what kinds of characters make of them, words unseen and marks alike
    NO_TOKEN                    # beyond the ends of a unit
    LOWER_WORD, TITLE_WORD, CAPITALS, INITIAL, MIXED_CASE, CASELESS
    ABBREVIATION                # letters and full stops, the last a full stop
    COMPOUND                    # letters and other marks: e-mail, AT&T
    CLITIC                      # begins with an apostrophe and a letter
    DIGITS, ORDINAL, NUMERIC    # 1999; 3. ; 3.5, 3rd, 10:30
    ADDRESS                     # of the web or of mail
    STOP, QUESTION, EXCLAMATION, ELLIPSIS, MANY_STOPS       # the last: several marks that end sentences
    COMMA, COLON, SEMICOLON, HYPHEN, QUOTE, APOSTROPHE, OPENED, CLOSED
    BULLET, PICTURE, EMOTICON, OTHER
    N_SHAPES

cdef void split_tokens(const Model* m, Unit* u) noexcept nogil
cdef void split_at_spaces(const Model* m, Unit* u) noexcept nogil

cdef void split_sentences(const Model* m, Unit* u, bint lines) noexcept nogil

cdef enum:
    # A rule is a row of bytes: the number of words, then for each word the part of the token it begins with, from a
    # character to another (counted from the end if negative), and what follows that part, in lower case, with a capital
    # and in capitals, each as its length in bytes and so many bytes.
    WHOLE = 127                 # as the end of a part: that of the token
    MOST_WORDS = 16             # of a rule
    LONGEST_SUFFIX = 8

cdef enum:
    NEVER = -2                  # of a token: not several words, whatever stands around it

cdef int32_t rule_of(const Model* m, const Unit* u, int32_t token) noexcept nogil
