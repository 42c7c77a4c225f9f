"""What a decoder adds to the theory of a system, in every search: a single root, labels by kind of arc, completion."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from fastparse.features.plan cimport SentenceRows
from fastparse.machine.state cimport Arena, Cell, State
from fastparse.search.scorer cimport Scorer, Scratch

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

cdef inline void made_move(Parsed* parsed, int32_t move, int32_t label) noexcept nogil:
    if parsed.steps != NULL and parsed.transitions[0] < parsed.room:
        parsed.steps[2 * parsed.transitions[0]] = move
        parsed.steps[2 * parsed.transitions[0] + 1] = label
    parsed.transitions[0] += 1
    if parsed.made != NULL:
        parsed.made[move] += 1

cdef inline const uint8_t* allowed_labels(const Scorer* scorer, const Cell* head) noexcept nogil:
    """Per label, whether an arc from this head may carry it."""
    return scorer.root_label if head.word == 0 else scorer.inner_label

# Moves legal by the theory and by the decoder: with single_root, no second child of the root.
cdef uint32_t legal_moves(const Scorer* scorer, const Arena* a, const State* c) noexcept nogil
# For each word, the sum of the logarithms of an encoder's probabilities of the moves that drew its arc or were made
# while it lay on top of the stack, and the one of its label; called before a move is made, in the exclusive regime.
cdef void remember(const Scorer* scorer, Scratch* w, const Arena* a, const State* c, int32_t move,
                   Parsed* parsed) noexcept nogil
# Gives headless words their heads (see completion in docs/architecture.md) and reads the tree off an exclusive arena.
cdef void complete(const Scorer* scorer, Scratch* w, Arena* a, const State* c, const SentenceRows* s,
                   Parsed* parsed) noexcept nogil
