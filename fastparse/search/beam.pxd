"""Search over the moves of a system, greedy or with a beam, for parsing and for structured learning.

What a decoder adds to the theory of a system is here too: a single root, labels by kind of arc, completion.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

from fastparse.features.plan cimport SentenceRows
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State
from fastparse.search.scorer cimport Scorer, Scratch

cdef enum:
    # A candidate is told by the rank of its parent, its move, and the label if the move has one, in so many bits.
    RANK_BITS = 10
    MOVE_BITS = 5
    LABEL_BITS = 16
    MAX_BEAM = (1 << RANK_BITS) - 1
    ROOM = 1 << 15              # see Beam

# Where the tree of a sentence is written.
cdef struct Parsed:
    int32_t* heads              # [n] of words 1..n
    int32_t* labels             # [n]
    int32_t* transitions        # moves made are added here
    int32_t* made               # [n_moves] if not NULL: the same by move
    int32_t* steps              # [room, 2] if not NULL: the first moves one by one, with labels of arcs
    int32_t room
    int32_t* arc_logs           # [n] if not NULL: of the probability of what was done about the word, see remember
    int32_t* label_logs         # [n] and of its label's
    # The best trees of a beam, if more than one is asked for; row r of what has a row each begins r strides further on.
    int32_t n_trees
    int32_t* tree_heads         # [n_trees, n]
    int32_t* tree_labels        # [n_trees, n]
    int64_t* tree_scores        # [n_trees]  of derivations; what was there before where there are fewer trees
    int64_t word_stride
    int64_t sentence_stride

cdef inline void made_move(Parsed* parsed, int32_t move, int32_t label) noexcept nogil:
    if parsed.steps != NULL and parsed.transitions[0] < parsed.room:
        parsed.steps[2 * parsed.transitions[0]] = move
        parsed.steps[2 * parsed.transitions[0] + 1] = label
    parsed.transitions[0] += 1
    if parsed.made != NULL:
        parsed.made[move] += 1

# Moves legal by the theory and by the decoder: with single_root, no second child of the root.
cdef uint32_t legal_moves(const Scorer* scorer, const Arena* a, const State* c) noexcept nogil
# For each word, the sum of the logarithms of an encoder's probabilities of the moves that drew its arc or were made
# while it lay on top of the stack, and the one of its label; called before a move is made, in the exclusive regime.
cdef void remember(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, int32_t move,
                   Parsed* parsed) noexcept nogil
# Gives headless words their heads (see completion in docs/architecture.md) and reads the tree off an exclusive arena.
cdef void complete(const Scorer* scorer, Scratch* w, Arena* a, const State* c, const SentenceRows* s,
                   Parsed* parsed) noexcept nogil

# Prepares a (reused) arena for a sentence. Beside a graph the cells hold the tree: heads, labels, children. In the
# exclusive regime there is room for all arcs that a graph without doubles can have. -1 when memory is short.
cdef int begin(Arena* a, const Spec* spec, const SentenceRows* s, bint exclusive) noexcept nogil
# Parses one sentence; -1 when memory is short. Graphs are left in the arena, those of beams in `replay`.
cdef int parse_greedy(const Scorer* scorer, Scratch* w, Arena* a, const SentenceRows* s, Parsed* parsed) noexcept nogil

cdef struct Beam:
    int32_t size                # 1 to MAX_BEAM
    int32_t threshold           # of parsing: what scores less than the best by more than this is left out; 0: nothing
    State* states               # [size]  by rank
    State* others               # [size]
    int64_t* candidates         # [size]  packed (score, order) of the successors that stay, best first
    int64_t* offered            # [size * MOST_MOVES]  of all successors
    int32_t* rows               # [BLOCK * MAX_MOVES]  scores of moves
    int32_t* history_at         # learning: history entry of the best state after each step
    int32_t history_room
    int32_t room                # ids an arena may give out before what no state reaches is dropped

cdef struct Lesson:
    # What learning compares the beam with, and what it finds.
    const uint8_t* moves        # [length]  the oracle's derivation
    const uint16_t* labels      # [length]
    int32_t length
    const int32_t* heads        # [n] the gold tree, for the margin
    int32_t margin              # lead demanded over a derivation, per wrong arc in it
    const int32_t* arc_labels   # [n] of the gold tree: with labels in moves, a wrong label makes a wrong arc
    bint max_violation          # else early update
    int32_t steps               # out: moves of the prefix to learn from; 0 when there is nothing to learn
    int32_t wrong               # out: end of the wrong prefix in the arena's history
    int32_t right               # out: end of the oracle's prefix
    int32_t end                 # out: end of as much of the oracle's derivation as was followed

cdef int beam_open(Beam* beam, int32_t size) except -1
cdef void beam_close(Beam* beam) noexcept nogil
# Parses one sentence; -1 when memory is short.
cdef int parse_beam(const Scorer* scorer, Scratch* w, Beam* beam, Arena* a, Arena* replay, const SentenceRows* s,
                    Parsed* parsed) noexcept nogil
cdef int compare_beam(const Scorer* scorer, Scratch* w, Beam* beam, Arena* a, const SentenceRows* s,
                      Lesson* lesson) noexcept nogil
