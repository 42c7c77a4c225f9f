"""Scores of moves and labels: a system, its plans and their weights, as search sees them.

Moves compete by their own scores; the label of an arc is the best one for its two ends and is chosen once the arc is.
A beam thus holds structures that differ, not labels of one structure.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from fastparse.features.plan cimport Group, N_POSITIONS, PlanC, Sentence
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Cell, State
from fastparse.model.table cimport Table

cdef enum:
    MAX_GROUPS = 40
    STATE_CACHE = 256           # finished scores of moves
    CACHE = 1024                # entries per group of move templates, a power of two
    LABEL_CACHE = 512           # entries per group of label templates
    ARC_CACHE = 1024            # finished rows of labels
    FORBIDDEN = -0x20000000     # added to scores of labels the decoder rules out

cdef struct Scorer:
    const Spec* spec
    const PlanC* moves          # in groups for sharing
    const PlanC* moves_flat     # the same templates in as few groups as may be
    const PlanC* labels         # over H and D
    const PlanC* labels_flat
    Table move_table
    Table label_table
    int32_t n_labels
    bint single_root
    const uint8_t* root_label   # [n_labels] whether an arc from the root may carry the label
    const uint8_t* inner_label  # [n_labels] the same for other arcs
    bint sharing                # keep partial sums per combination of cells

cdef struct Sums:
    # Partial sums of the groups of a plan, by what a group reads: direct-mapped, the newest stays.
    int32_t size                # entries per group, a power of two
    int32_t stride              # classes, rounded up
    uint8_t* places             # [MAX_GROUPS * size] a key, then `stride` sums

cdef struct Scratch:
    # Working memory of one thread; sizes follow the scorer.
    uint64_t* keys              # [512]
    int32_t* sums               # [STATE_CACHE * MAX_MOVES] scores of moves; the first row if nothing is shared
    uint64_t* state_key         # [STATE_CACHE]
    int32_t label_room          # n_labels rounded up to a multiple of 16
    uint64_t salt               # makes cache keys of different sentences different
    Sums move_sums
    Sums label_sums
    uint64_t* arc_key           # [ARC_CACHE]
    int32_t* arc_rows           # [ARC_CACHE * (label_room + 16)]  best score, best label, then from 16 on the scores
    int64_t n_templates_scored  # templates whose rows were added, for benchmarks
    int32_t* made               # [n_moves] if not NULL: counts of the moves a parse makes are added here

# Without sharing there is no room for sums of groups: only scorers that do not share may use it.
cdef int scratch_open(Scratch* w, int32_t n_moves, int32_t n_labels, bint sharing) except -1
cdef void scratch_close(Scratch* w) noexcept nogil

# Scores of all moves without their labels; good until the next call.
cdef int32_t* score_moves(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                          const Sentence* s) noexcept nogil
# Scores of the labels of an arc between two cells: row[0] best score, row[1] best label, row[16 + l] each.
cdef const int32_t* score_labels(const Scorer* scorer, Scratch* w, const Sentence* s, const Cell* head,
                                 const Cell* dependent) noexcept nogil
# The label of the arc that a move would draw in a state.
cdef int32_t best_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const Sentence* s,
                        int32_t move) noexcept nogil
