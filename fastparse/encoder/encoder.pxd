"""An encoder in bytes: its weights as compiled code sees them.

What is computed, and why no sum overflows, is told in docs/encoder_arithmetic.md. All memory belongs to one Encoder,
which never changes and is shared by threads.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t

from fastparse.encoder.kernels.kernels cimport Dense, Form, Norm, Segment

cdef enum:
    BUCKETS = 17                # of distances
    LOG_UNIT = 1024             # of logarithms of probabilities: so many are 1
    LOG_TABLE = 8192            # beyond it a smaller probability does not show
    MAX_LAYERS = 16
    MAX_SEGMENTS = 16
    MAX_TAGS = 32
    MAX_ROWS = 64 + 64 + 16 + 2     # that a choice adds up: slots, labels, distances, what is folded into one row
    MOST_FOLDED = 8             # places whose rows of "none" are added up beforehand

cdef struct Place:
    # A word, or a label, as a position of a state leads to it.
    int32_t number              # among those of the arrays
    uint8_t position            # of features/plan.pxd
    uint8_t offset              # in Cell: of an int32 word, or a uint16 label
    int8_t delta                # slots: words to the right

cdef struct Pair:
    uint8_t a                   # positions whose distance is read: word of b minus word of a
    uint8_t b

cdef struct Choice:
    # What scores moves, or labels: a layer over the sum of rows, and one output each. Slots that are a position's own
    # word come first: nearly every word gets there. Children and heads are words that few get to be.
    int32_t n_slots
    int32_t n_own               # slots of positions' own words
    int32_t n_folded            # slots after these, and
    int32_t n_folded_labels     # places from the first on, whose rows of "none" are in `absent` and `unlabelled`
    int32_t n_labels            # places whose label is read
    int32_t n_label_rows        # per such place: labels and "none"
    int32_t n_pairs
    int32_t hidden              # values of the hidden layer; rows are twice as long
    int32_t shift               # from sums of rows to bytes
    double log_factor           # scores times this are in LOG_UNITs, see logarithms.pxd
    int64_t log_span            # scores that are so much below the best do not count beside it
    uint32_t positions          # bit per position that is read
    int32_t n_outputs           # 0: the encoder does not score this
    Place* slots                # [n_slots]
    Place* labels               # [n_labels]
    Pair* pairs                 # [n_pairs]
    Dense projection            # of a word's bytes to its rows of own slots, [n_own][2 * hidden]
    Dense* each                 # [n_slots]  to its row of one slot; they share the weights of `projection`
    const int16_t* none         # [n_slots][2 * hidden]
    const int16_t* label_rows   # [n_labels][n_label_rows][2 * hidden]
    const int16_t* distance_rows    # [n_pairs][BUCKETS][2 * hidden]
    # By the set of folded slots without a word, bit k for slot n_own + k: the sum of their rows, and of the bias with
    # the zero point and the rounding of the bytes.
    const int16_t* absent       # [2**n_folded][2 * hidden]
    const int16_t* unlabelled   # [2**n_folded_labels][2 * hidden]  the same for places without a label; no bias
    Dense output

cdef struct EncoderC:
    const Form* form
    int32_t width
    int32_t inputs              # bytes that the input layer reads
    int32_t n_segments
    int32_t n_layers            # besides the input layer
    int32_t reach               # words to the left and right that a word's vector depends on
    Segment segments[MAX_SEGMENTS]
    Dense layers[MAX_LAYERS + 1]    # the input layer first
    Norm norms[MAX_LAYERS + 1]
    int32_t dilations[MAX_LAYERS + 1]   # of layer l at l; the input layer has none
    Choice moves
    Choice labels
    int32_t arc_size            # values of an arc vector; 0: no arc scores
    Dense arcs[2]               # heads, dependents
    int32_t arc_factor          # products times factor / 2**shift are scores
    int32_t arc_shift
    int32_t n_tags
    Dense tags[MAX_TAGS]
    int32_t n_values[MAX_TAGS]  # of each tag

cdef class Encoder:
    cdef EncoderC c
    cdef readonly str kernel
    cdef dict arrays
    cdef list owned

cdef inline int32_t rounded_up(int32_t n, int32_t unit) noexcept nogil:
    return (n + unit - 1) // unit * unit

# Zeros at a multiple of 64 bytes; they live as long as the list.
cdef void* room(list owned, int64_t n_bytes) except NULL
