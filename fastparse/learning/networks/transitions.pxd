"""Learning along states, and greedy parsing."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from fastparse.machine.state cimport NONE, Arena, Cell, State
from fastparse.learning.networks.states cimport Scores, States
from fastparse.transition_systems.oracle cimport Dynamic
from fastparse.search.scorer cimport Scorer

# The best of some moves, of which there is one at least; the lower one of equals.
cdef inline int32_t best_of(const Scores* s, int32_t n_moves, uint32_t moves) noexcept nogil:
    cdef int32_t m, best = NONE
    for m in range(n_moves):
        if moves >> m & 1 and (best < 0 or s.move[m] > s.move[best]):
            best = m
    return best

cdef class Transitions(States):
    cdef Dynamic oracle
    cdef Scorer rules                   # what legal_moves has to know
    # Another network's layers over the same states, to be learnt from as well, and what share of the loss it has.
    cdef Transitions teacher
    cdef double share
    cdef int32_t n_teachers
    cdef int32_t* gold                  # [6 (n + 1)]  heads of the tree, scratch of the oracle
    cdef int32_t room
    # Where parse writes what it reads of states, a row each; record_room: rows there are.
    cdef int32_t* record_words
    cdef int32_t* record_labels
    cdef int32_t* record_buckets
    cdef int32_t record_room, recorded, n_labelled

    cdef int make_room(self, int32_t n) except -1
    cdef void take_notes(self, int32_t n, const uint8_t* moves, const uint16_t* labels, int64_t first,
                         int64_t last) noexcept nogil
    cdef double learn_sentence(self, int64_t base, const int32_t* labels, const int32_t* own_labels,
                               const uint8_t* moves, int64_t first, int64_t last, double weight, uint64_t threshold,
                               uint64_t seed, int least, int64_t* counts) noexcept nogil
    cdef int32_t learn_moves(self, int64_t base, const Cell* const* at, const State* c, uint32_t legal, uint32_t best,
                             double weight, bint own, int least, Scores* s, double* loss,
                             int64_t* counts) noexcept nogil
    cdef void add_shares(self, const Arena* a, int64_t base, const Cell* const* at, uint32_t legal, const State* c,
                         double part, double* shares) noexcept nogil
    cdef void parse_sentence(self, int64_t base, int32_t* heads, int32_t* labels) noexcept nogil
