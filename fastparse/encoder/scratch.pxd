"""The memory that an encoder works in: the words of one batch of sentences, for one thread.

Words of all sentences of a batch are rows 0, 1, .. of the batch, each sentence with its root first. Slot rows are made
when they are first asked for, LINE words at a time, and kept in a window that later words overwrite: a sentence of any
length needs no more memory for them, and a state costs a bounded amount of work. All memory belongs to one Scratch and
grows with the longest batch only.
"""

from fastparse.encoder.encoder cimport Choice, Encoder, EncoderC, int8_t, int16_t, int32_t, int64_t, uint8_t

cdef enum:
    LINE_BITS = 4
    LINE = 1 << LINE_BITS       # words whose slot rows are made together
    AHEAD = 4                   # lines made together when nobody has asked for later words yet
    KEPT = 128                  # words whose row is kept by itself, per slot; a power of two
    KNOWN = 4096                # kinds of words whose input layer is kept, a power of two

cdef struct SlotRows:
    # Rows of the words asked for lately, of one choice: those of positions' own words line by line as search gets to
    # them; those of other slots, and of words whose line has been overwritten, one by one when a state asks for them.
    int16_t* rows               # [n_own][1 + window][2 * hidden]  the first row of each slot is that for no word
    int32_t* lines              # [window / LINE]  line of the batch held at each place, or -1
    int32_t frontier            # first line that nobody has asked for yet
    int32_t n_slots
    int16_t* single             # [n_slots][KEPT][2 * hidden]
    int32_t* single_words       # [n_slots][KEPT]  row of the batch held at each place, or -1

cdef struct ScratchC:
    int32_t n_rows              # words of the batch, roots included
    int32_t first               # row of the root of the sentence that is parsed
    int32_t n                   # words of that sentence; the root is not counted
    int64_t capacity            # rows there is room for
    int32_t window              # rows of SlotRows, a power of two
    int32_t block               # words of a sentence encoded together, `reach` on both sides not counted
    uint8_t* encoded            # [capacity][width]
    uint8_t* arc_heads          # [capacity][arc_size]  bytes
    int8_t* arc_dependents      # [capacity][arc_size]
    int32_t* arc_offsets        # [capacity]  -64 times the sum of the dependent's values
    SlotRows moves
    SlotRows labels
    # What the input layer makes of kinds of words, by kind modulo KNOWN: the newest stays.
    int32_t* known              # [KNOWN]  the kind that is there, or -1
    int64_t* known_since        # [KNOWN]  how many were computed before it
    float* known_values         # [KNOWN][width]
    uint8_t* known_bytes        # [KNOWN][width]
    int64_t n_computed          # in all
    # Of one block, `room` = block + 2 * reach words:
    int32_t* fresh              # [room]  kinds that have to be computed
    int32_t* source             # [room]  place of a word's among them, or -1
    float* fresh_values         # [room][width]
    uint8_t* fresh_bytes        # [room][width]
    uint8_t* inputs             # [room][inputs]
    uint8_t* bytes              # [room][width]
    float* values               # [room][width]
    int16_t* sums               # [room][width], at least [room][64]
    int32_t* begin              # [room]  first word of the block that is of the same sentence
    int32_t* end                # [room]  word behind the last such word
    const uint8_t** pointers    # [room][3]
    uint8_t* zeros              # [width]  the bytes of a vector of zeros
    # Of one state:
    uint8_t* hidden             # [hidden]
    int32_t* move_scores        # [n_moves rounded up to 32]
    int32_t* label_scores       # [n_labels rounded up to 32]
    int32_t* tag_sums           # [LINE][largest n_values rounded up to 32]

cdef class Scratch:
    cdef ScratchC c
    cdef readonly Encoder encoder
    cdef list owned

# Encodes sentences of `lengths` words, their roots included, each of the kind that `kinds` has for it; ids of segment s
# of kind k end at ends[k * n_segments + s]. What was computed for a kind is used again: renew if ids or ends change.
# Without the lock; -1 when there is no memory.
cdef int encode(const EncoderC* e, ScratchC* w, const int32_t* ids, const int32_t* ends, const int32_t* kinds,
                const int32_t* lengths, int32_t n_sentences) noexcept nogil
cdef void renew(ScratchC* w) noexcept nogil
# The best value of a tag for each word of the batch, the lower one of equals: of those that say what is given, if
# some do.
cdef void best_values(const EncoderC* e, ScratchC* w, int32_t tag, const int32_t* classes, const int32_t* given,
                      int32_t columns, int32_t* out) noexcept nogil
# From now on words are those of the sentence whose root is row `first` of the batch.
cdef void enter(ScratchC* w, int32_t first, int32_t n) noexcept nogil
# Makes the slot rows of a line, and of those ahead if nobody has asked for them yet.
cdef void fill(const EncoderC* e, ScratchC* w, const Choice* choice, SlotRows* slots, int32_t line) noexcept nogil
# Makes the row of one word for one slot, at its place.
cdef void fill_single(const EncoderC* e, ScratchC* w, const Choice* choice, SlotRows* slots, int32_t slot,
                      int32_t row) noexcept nogil
