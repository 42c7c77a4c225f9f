"""Easy-first: scores of all places of the pending list, and the greedy loop over them."""

from libc.stdint cimport int32_t, uint32_t, uint8_t

from fastparse.features.plan cimport SentenceRows
from fastparse.machine.state cimport Arena, Cell
from fastparse.search.scorer cimport Scorer, Scratch

cdef enum:
    OUT = -0x7FFFFFFF           # score of a place where nothing is legal
    # Joining a pair changes the places whose templates read its cells: they lie at most this far to either side.
    BEFORE = 5
    BEHIND = 4

# The cells around a place: S2 S1 S0 before it, B0 B1 B2 B3 behind.
cdef void locate_place(const Arena* a, int32_t left, const Cell** at) noexcept nogil
# Scores of both moves at a place, without labels, into w.sums.
cdef void score_place(const Scorer* scorer, Scratch* w, const Arena* a, int32_t left,
                      const SentenceRows* s) noexcept nogil
# The kinds of moves the decoder allows at a place: bit ATTACH_LEFT, bit ATTACH_RIGHT.
cdef uint32_t legal_at(const Scorer* scorer, const Arena* a, int32_t left) noexcept nogil
# The first place whose scores a change of the cell may touch; the last is BEFORE + BEHIND places behind it at most.
cdef int32_t first_touched(const Arena* a, int32_t cell) noexcept nogil
