"""States scored by the words at their places: the network's last layers, which change with every transition."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Cell, State
from fastparse.machine.system cimport System

cdef enum:
    MAX_PLACES = 32
    MAX_PAIRS = 8
    MAX_SOURCES = 2 * MAX_PLACES + MAX_PAIRS + 1
    MAX_HIDDEN = 512
    BUCKETS = 17                # of a distance: none, 8 to the right, 8 to the left

cdef struct Place:
    int32_t position
    int32_t word                # offset of the word in the position's cell
    int32_t label               # offset of its label, or -1

cdef struct Numbers:
    # The network's numbers, or their gradients. `hidden` counts units; each is the larger of two numbers.
    float* absent               # [places][2 hidden]  the row of no word
    float* child_labels         # [places][labels + 1][2 hidden]  used by places with a label; the last is no label
    float* distances            # [pairs][BUCKETS][2 hidden]
    float* bias                 # [2 hidden]
    float* weight               # [moves][hidden]
    float* offset               # [moves]
    float* label_distances      # [BUCKETS][2 hidden]
    float* label_bias           # [2 hidden]
    float* label_weight         # [labels][hidden]
    float* label_offset         # [labels]
    float* rows                 # [words of the batch][places + 2][2 hidden]  the last two: heads, dependents of labels
    float* arcs                 # [words of the batch][2 rank]  as head, as dependent

cdef struct Scores:
    # A state's scores, with what their gradients need.
    int32_t n_sources
    const float* source[MAX_SOURCES]    # rows of 2 hidden numbers that are added up
    float* target[MAX_SOURCES]          # their gradients
    uint8_t which[MAX_HIDDEN]           # 0, 1: the larger number; 2: dropped
    float hidden[MAX_HIDDEN]
    float move[32]
    int32_t head[32]                    # words of the arc a move would draw
    int32_t dependent[32]

cdef class States:
    cdef readonly System system
    cdef readonly tuple places
    cdef readonly tuple pairs
    cdef readonly int hidden
    cdef readonly int rank
    cdef readonly int n_labels
    cdef int32_t n_places, n_pairs
    cdef Place place[MAX_PLACES]
    cdef int32_t pair[2 * MAX_PAIRS]
    cdef const Spec* spec
    cdef bint single_root
    cdef const uint8_t[::1] root_label, inner_label
    cdef Numbers value, gradient
    cdef object owners, row_owners      # the arrays that value and gradient point into
    cdef Arena arena

    cdef void score(self, const Arena* a, int64_t base, const Cell* const* at, uint32_t legal, const State* c,
                    uint64_t seed, int least, Scores* s) noexcept nogil
    cdef void describe(self, int64_t base, const Cell* const* at, int32_t* words, int32_t* labels,
                       int32_t* buckets) noexcept nogil
    cdef void learn_state(self, int64_t base, Scores* s, const float* wrong, int least) noexcept nogil
    cdef int32_t best_label(self, int64_t base, int32_t head, int32_t dependent) noexcept nogil
    cdef void add_label_rows(self, int64_t head, int64_t dependent, float* sums) noexcept nogil
    cdef void read_tree(self, const Arena* a, const State* c, int64_t base, int32_t* heads,
                        int32_t* labels) noexcept nogil
