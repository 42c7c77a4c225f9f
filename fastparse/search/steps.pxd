"""Scores of all states of a step of a beam together.

What groups of templates read is looked up for all states first; the sums that are not known are then computed in one
call of a kernel, so that the memory it needs is asked for before the first of it is read. The scores are those of one
state at a time.
"""

from libc.stdint cimport int32_t

from fastparse.features.plan cimport SentenceRows
from fastparse.machine.state cimport MAX_MOVES, Arena, Cell, State
from fastparse.search.scorer cimport Scorer, Scratch

cdef enum:
    BLOCK = 64                  # states, or arcs, that are scored together
    STATES = 256                # finished scores of moves that are kept, a power of two
    ARCS = 512                  # best labels of arcs that are kept, a power of two

# Writes the scores of the moves of at most BLOCK states to rows of MAX_MOVES.
cdef void score_states(const Scorer* scorer, Scratch* w, const Arena* a, const State* const* states, int32_t n,
                       const SentenceRows* s, int32_t* rows) noexcept nogil
# The best labels of at most BLOCK arcs.
cdef void label_arcs(const Scorer* scorer, Scratch* w, const SentenceRows* s, const Cell* const* heads,
                     const Cell* const* dependents, int32_t n, int32_t* labels) noexcept nogil

# Room for the above; NULL where memory is short.
cdef void* steps_open(const Scorer* scorer) noexcept
cdef void steps_close(void* steps) noexcept nogil
