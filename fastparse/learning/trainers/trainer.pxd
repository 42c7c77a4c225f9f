"""What learning with a beam and greedy learning share."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from fastparse.features.attributes cimport Values
from fastparse.features.plan cimport SentenceRows
from fastparse.machine.state cimport Arena, State
from fastparse.weights.learning cimport LearningTable
from fastparse.search.engine cimport Engine
from fastparse.search.scorer cimport Scratch


cdef class Trainer:
    cdef Engine engine
    cdef LearningTable move_table, label_table
    cdef Values values
    cdef const int64_t[::1] offsets
    cdef const uint8_t[::1] moves       # the oracle's derivations
    cdef const uint16_t[::1] labels
    cdef const int64_t[::1] starts
    cdef Scratch w
    cdef Arena replay
    cdef public int64_t clock
    cdef public int64_t n_updates
    cdef public int64_t n_steps
    # What they write to besides the table is in their arguments: two threads may use one table each.
    cdef void reward_move(self, const Arena* a, uint64_t* keys, const SentenceRows* s, const State* c, int32_t move,
                          int32_t delta, int64_t clock) noexcept nogil
    cdef void reward_label(self, const Arena* a, uint64_t* keys, const SentenceRows* s, int32_t head,
                           int32_t dependent, int32_t label, int32_t delta, int64_t clock) noexcept nogil
    # The move, and the label of the arc that it draws.
    cdef void reward_labelled_move(self, const Arena* a, uint64_t* keys, const SentenceRows* s, const State* c,
                                   int32_t move, int32_t label, int32_t delta, int64_t clock) noexcept nogil
