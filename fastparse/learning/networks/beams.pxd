"""Learning from the trees that a beam finds."""

from libc.stdint cimport int32_t, int64_t, uint32_t

from fastparse.machine.state cimport Arena, State
from fastparse.learning.networks.states cimport Scores
from fastparse.learning.networks.transitions cimport Transitions

cdef enum:
    MOST_STATES = 32

cdef struct Step:
    int32_t move
    int32_t label               # of the arc that the move draws

cdef struct Way:
    # A way from the start to a tree, of several that a beam has found.
    const Step* steps           # [length]
    int32_t length
    double share                # of the probabilities of all ways
    double mistakes

cdef class Beams(Transitions):
    cdef Arena shared           # of the states of a beam; Transitions.arena is exclusive
    cdef Step* steps            # [step_room]  of all ways, one after the other
    cdef int64_t step_room
    cdef int32_t* tree          # [2 tree_room]  heads of words 1.., then their labels
    cdef int32_t tree_room

    cdef int32_t search(self, int64_t base, int32_t n, int32_t size, State* states, double* logs) noexcept nogil
    cdef int32_t find(self, int64_t base, int32_t n, int32_t size, Way* ways) noexcept nogil
    cdef int make_room_for(self, int64_t steps, int32_t n) noexcept nogil
    cdef int follow(self, int64_t base, int32_t n, const Way* way, int32_t apart, double by) noexcept nogil
    cdef void make(self, int64_t base, State* c, int32_t move) noexcept nogil
    cdef void probabilities(self, const Arena* a, int64_t base, const State* c, uint32_t legal, Scores* s,
                            double* found) noexcept nogil
    cdef int learn_trees(self, int64_t base, int32_t n, const int32_t* heads, const int32_t* labels, int32_t size,
                         double weight, double* mistakes) noexcept nogil
