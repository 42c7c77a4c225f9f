"""Scores of moves and labels: a system and its weights, as search sees them: tables with their plans, or an encoder.

Moves compete by their own scores; the label of an arc is the best one for its two ends and is chosen once the arc is.
A beam thus holds structures that differ, not labels of one structure. Where labels are chosen with the moves instead,
a move that draws an arc competes once for each label, by the sum of both scores.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from fastparse.encoder.encoder cimport EncoderC
from fastparse.encoder.scratch cimport ScratchC
from fastparse.features.plan cimport MAX_KEYS, PlanC, SentenceRows
from fastparse.machine.operations cimport mix
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport MAX_MOVES, Arena, Cell, State
from fastparse.weights.table cimport LANES, Table

cdef enum:
    MAX_GROUPS = 40
    STATE_CACHE = 256           # finished scores of moves
    CACHE = 1024                # entries per group of move templates, a power of two
    LABEL_CACHE = 512           # entries per group of label templates
    ARC_CACHE = 1024            # finished rows of labels
    FORBIDDEN = -0x20000000     # added to scores of labels the decoder rules out
    BLOCK = 64                  # states, or arcs, that are scored together

cdef struct Scorer:
    # Never changes once it is made: any number of threads may read it.
    const Spec* spec
    const PlanC* moves          # in groups for sharing
    const PlanC* moves_flat     # the same templates in as few groups as may be
    const PlanC* labels         # over H and D
    const PlanC* labels_flat
    Table move_table
    Table label_table
    int32_t n_labels
    bint single_root
    bint labels_with_moves      # labels compete as parts of moves; never with an encoder
    const uint8_t* root_label   # [n_labels] whether an arc from the root may carry the label
    const uint8_t* inner_label  # [n_labels] the same for other arcs
    const EncoderC* encoder     # what scores instead of plans and tables, which are empty then; NULL: these do

cdef struct LabelRow:
    # Scores of the labels of an arc. A score per label follows the struct, aligned as it is: see scores_in.
    int32_t score               # of the best label; of an encoder, the logarithm of its probability
    int32_t best                # the lower one in a tie
    int32_t unused[LANES - 2]

cdef struct Sums:
    # Partial sums of the groups of a plan, by what a group reads: direct-mapped, the newest stays.
    int32_t size                # entries per group, a power of two
    int32_t stride              # sums of an entry, a multiple of 4
    uint8_t* places             # [groups * size] a key, then `stride` sums

cdef struct Scratch:
    # Working memory of one thread; sizes follow the scorer.
    bint sharing                # keep partial sums per combination of cells; the scores are the same
    uint64_t keys[MAX_KEYS]
    int32_t* sums               # [STATE_CACHE * MAX_MOVES] scores of moves; the first row if nothing is shared
    uint64_t* state_key         # [STATE_CACHE]
    int32_t label_room          # n_labels rounded up to a multiple of LANES
    uint64_t salt               # makes cache keys of different sentences different
    Sums move_sums
    Sums label_sums
    uint64_t* arc_key           # [ARC_CACHE]
    uint8_t* arc_rows           # [ARC_CACHE] rows of labels, each with label_room scores; one if nothing is shared
    bint logarithms             # an encoder's labels get scores that can be added up, as beams need them
    void* steps                 # for scoring the states of a step together (Steps); NULL where nothing is shared
    ScratchC* words             # what the encoder has made of the words of the sentence; NULL without one
    int64_t n_templates_scored  # templates whose rows were added, for benchmarks

cdef inline uint64_t sentence_salt(const Scratch* w) noexcept nogil:
    """Mixed, for words are small numbers too; with a constant that keys of cells are not made with."""
    return mix(w.salt, <uint64_t>0x8CB92BA72F3D8DD7)


cdef inline const int32_t* scores_in(const LabelRow* row) noexcept nogil:
    """The score of each label."""
    return <const int32_t*>(row + 1)

cdef inline const uint8_t* allowed_labels(const Scorer* scorer, const Cell* head) noexcept nogil:
    """Per label, whether an arc from this head may carry it."""
    return scorer.root_label if head.word == 0 else scorer.inner_label

# Without sharing there is no room for sums of groups: `sharing` may be switched off later, but not on.
cdef int scratch_open(Scratch* w, const Scorer* scorer, bint sharing) except -1
cdef void scratch_close(Scratch* w) noexcept nogil

# Scores of all moves without their labels, by tables; good until the next call.
cdef int32_t* score_moves(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                          const SentenceRows* s) noexcept nogil
# What an encoder gives the moves of a mask; the others have no meaning. Good until the next call.
cdef const int32_t* encoder_scores(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                                   uint32_t legal) noexcept nogil
# The same as logarithms of probabilities, which can be added up.
cdef const int32_t* encoder_logarithms(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                                       uint32_t legal) noexcept nogil
# The logarithm of the probability of the best label of the arc that a move would draw, which is never above 0.
cdef int32_t encoder_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                           int32_t move) noexcept nogil

cdef inline const int32_t* scores_among(const Scorer* scorer, Scratch* w, const Arena* a, const State* c,
                                        const SentenceRows* s, uint32_t legal) noexcept nogil:
    """Scores that tell which of the legal moves is best."""
    if scorer.encoder == NULL:
        return score_moves(scorer, w, a, c, s)
    return encoder_scores(scorer, w, a, c, legal)

# Scores of the labels of an arc between two cells; good until the next call.
cdef const LabelRow* score_labels(const Scorer* scorer, Scratch* w, const SentenceRows* s, const Cell* head,
                                  const Cell* dependent) noexcept nogil
# The same of the arc that a move would draw in a state, and the best of them.
cdef const LabelRow* label_row(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                               int32_t move) noexcept nogil
cdef int32_t best_label(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, const SentenceRows* s,
                        int32_t move) noexcept nogil

# ── all states of a step of a beam together ──
#
# What groups of templates read is looked up for all states first; the sums that are not known are then computed in one
# call of a kernel, so that the memory it needs is asked for before the first of it is read. The scores are those of one
# state at a time. Only with `steps`.

# Writes the scores of the moves of at most BLOCK states to rows of MAX_MOVES.
cdef void score_states(const Scorer* scorer, Scratch* w, const Arena* a, const State* const* states, int32_t n,
                       const SentenceRows* s, int32_t* rows) noexcept nogil
# The best labels of at most BLOCK arcs.
cdef void label_arcs(const Scorer* scorer, Scratch* w, const SentenceRows* s, const Cell* const* heads,
                     const Cell* const* dependents, int32_t n, int32_t* labels) noexcept nogil
