"""Beam search in the shared regime, for parsing and for structured learning."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint8_t

from fastparse.features.plan cimport SentenceRows
from fastparse.machine.state cimport Arena, State
from fastparse.search.rules cimport Parsed
from fastparse.search.scorer cimport Scorer, Scratch

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
