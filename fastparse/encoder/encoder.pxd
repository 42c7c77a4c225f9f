"""An encoder in bytes: its weights as compiled code sees them.

What is computed, and why no sum overflows, is told in docs/encoder_arithmetic.md. All memory belongs to one Encoder,
which never changes and is shared by threads.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t

# Forms of the byte arithmetic.
cdef extern from "fastparse/encoder/kernels/form.h" nogil:
    enum:
        LANES "FP_LANES"                # outputs of a vector of a panel
        ZERO_POINT "FP_ZERO_POINT"      # the byte that stands for 0
        LARGEST_WEIGHT "FP_LARGEST_WEIGHT"
        NORM_LIMIT "FP_NORM_LIMIT"
    ctypedef struct Dense "FpDense":
        const void* weights
        const int32_t* bias
        int32_t taps
        int32_t width
        int32_t vectors
        int32_t panels
        int32_t shift
        int32_t limit
    ctypedef struct Segment "FpSegment":
        const int8_t* rows
        int32_t n
        int32_t width
        int32_t shift
    ctypedef struct Norm "FpNorm":
        const float* gain
        const float* offset
        double epsilon
        float scale
        int32_t residual
    ctypedef struct Form "FpForm":
        const char* name
        void (*maxout)(const Dense*, const uint8_t** rows, int32_t n, int16_t* out, int64_t stride) noexcept nogil
        void (*project)(const Dense*, const uint8_t** rows, int32_t n, int16_t* out, int64_t stride, int32_t panels,
                        int64_t block_stride) noexcept nogil
        void (*sums)(const Dense*, const uint8_t** rows, int32_t n, int32_t* out, int64_t stride) noexcept nogil
        void (*output)(const Dense*, const uint8_t* row, int32_t* out) noexcept nogil
        void (*embed)(const Segment*, int32_t n_segments, const int32_t* ids, const int32_t* ends, int32_t begin,
                      int32_t n, uint8_t* out, int32_t width) noexcept nogil
        void (*norm)(const Norm*, const int16_t* sums, int32_t n, int32_t width, float* values,
                     uint8_t* bytes) noexcept nogil
        void (*hidden)(const int16_t** rows, int32_t n, int32_t hidden, int32_t shift, uint8_t* out) noexcept nogil
        int32_t (*dot)(const uint8_t* bytes, const int8_t* weights, int32_t n) noexcept nogil
        int32_t (*largest)(const int32_t* x, int32_t n) noexcept nogil

cdef enum:
    BUCKETS = 17                # of distances
    LOG_ONE = 1024              # of logarithms of probabilities: so many are 1
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
    double log_factor           # scores times this are in LOG_UNITs, see scoring.pxd
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

cdef inline int32_t bucket(int32_t d) noexcept nogil:
    """Of a distance: 0 is kept for a missing word; 1, 2, 3, 4, 5-6, 7-10, 11-20, more are 1..8, to the left 9..16."""
    cdef int32_t far = d if d >= 0 else -d, b
    b = far if far <= 4 else (5 if far <= 6 else (6 if far <= 10 else (7 if far <= 20 else 8)))
    return b if d >= 0 else b + 8

# What is added to the larger of two logarithms, by how far they are apart; [LOG_TABLE].
cdef const int32_t* log_table() noexcept nogil
# Zeros at a multiple of 64 bytes; they live as long as the list.
cdef void* room(list owned, int64_t n_bytes) except NULL
