"""Scores of moves and labels: a system, its plans and their weights, as search sees them.

Moves compete by their own scores; the label of an arc is the best one for its two ends and is chosen once the arc is.
A beam thus holds structures that differ, not labels of one structure.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from fastparse.features.plan cimport Group, N_POSITIONS, PlanC, Sentence
from fastparse.model.table cimport Table
from fastparse.transition_systems.spec cimport Spec
from fastparse.transition_systems.state cimport Arena, Cell, State

cdef enum:
    MAX_GROUPS = 24
    CACHE = 1024                # entries per group of move templates, a power of two
    LABEL_CACHE = 2048
    FORBIDDEN = -0x20000000     # added to scores of labels the decoder rules out

cdef struct Scorer:
    const Spec* spec
    const PlanC* moves          # in groups for sharing
    const PlanC* moves_flat     # the same templates in one group
    const PlanC* labels         # one group over H and D
    Table move_table
    Table label_table
    int32_t n_labels
    bint single_root
    const uint8_t* root_label   # [n_labels] whether an arc from the root may carry the label
    const uint8_t* inner_label  # [n_labels] the same for other arcs
    bint sharing                # keep partial sums per combination of cells

cdef struct Scratch:
    # Working memory of one thread; sizes follow the scorer.
    uint64_t* keys              # [512]
    int32_t* sums               # [32] moves
    int32_t* label_sums         # [label_room]
    int32_t label_room          # n_labels rounded up to a multiple of 16
    uint64_t salt               # makes cache keys of different sentences different
    uint64_t* group_key         # [MAX_GROUPS * CACHE]
    int32_t* group_sums         # [MAX_GROUPS * CACHE * 32]
    uint64_t* label_key         # [LABEL_CACHE]
    int32_t* label_rows         # [LABEL_CACHE * (label_room + 16)]  best first, block maxima, then scores
    int64_t n_groups_scored     # work done, for benchmarks: groups of templates summed
    int64_t n_templates_scored  # templates whose rows were added

cdef int scratch_open(Scratch* w, int32_t n_labels) except -1
cdef void scratch_close(Scratch* w) noexcept nogil

# Scores of all moves without their labels, into w.sums.
cdef void score_moves(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const Sentence* s) noexcept nogil
# Scores of the labels of an arc between two cells: row[0] best score, row[1] best label, row[16 + l] each.
cdef const int32_t* score_labels(const Scorer* scorer, Scratch* w, const Sentence* s, const Cell* head,
                                 const Cell* dependent) noexcept nogil
# The label of the arc that a move would draw in a state.
cdef int32_t best_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const Sentence* s,
                        int32_t move) noexcept nogil
