"""What decides whether a token ends between two characters."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from fastparse.text.unit cimport Unit

cdef enum:
    N_GAP_FEATURES = 34

cdef enum:                      # what a chunk contains
    HAS_SCHEME = 1              # ://
    HAS_WWW = 2
    HAS_AT = 4
    HAS_DOTS = 8                # two full stops that are not neighbours
    HAS_SLASH = 16
    HAS_FIGURE = 32
    HAS_HYPHEN = 64

cdef struct Chunk:
    # Characters between white space, while they are gone through from left to right.
    int32_t begin, end
    uint64_t hash               # of all its folded characters
    uint64_t next_word          # of the letters and digits at the beginning of the next chunk
    uint32_t contents           # the bits above
    int32_t mark                # where the part begins that makes it an address; `end` if it is none
    int32_t token               # where the current token begins
    uint64_t token_hash         # from there to the gap
    uint64_t head_hash          # from the beginning of the chunk to the gap
    uint64_t run_hash           # the last run of letters and digits up to the gap
    int32_t run                 # where that begins

cdef void gap_features(const Unit* u, const Chunk* c, int32_t left, int32_t right, uint64_t* keys) noexcept nogil
