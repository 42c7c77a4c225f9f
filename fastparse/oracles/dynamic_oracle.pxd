"""Dynamic oracles: for any configuration, the moves after which no more gold arcs are lost than before."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t

# The legal moves of least cost in an exclusive arena; 0 where nothing can be said. head is the gold tree with
# head[0] = NONE, scratch has room for scratch_room(n) numbers; 2 (n + 1) of them, from 3 (n + 1) on, hold what note has
# written.
ctypedef uint32_t (*best_moves_t)(const Spec*, const Arena*, const State*, const int32_t* head, int32_t* scratch,
                                  uint32_t legal) noexcept nogil

# A quarter of a megabyte for fifty words: a look ahead keeps the way it goes.
cdef inline int32_t scratch_room(int32_t n) noexcept nogil:
    return 1024 * (n + 2) + 4096

# Looks at the static derivation, move by move, each before it is made; the first 5 (n + 1) numbers of scratch are all
# NONE before the first.
ctypedef void (*note_t)(const Spec*, const Arena*, const State*, int32_t move, const int32_t* head,
                        int32_t* scratch) noexcept nogil

cdef struct Dynamic:
    best_moves_t best_moves     # NULL: the system has none
    note_t note                 # or NULL

cdef class DynamicOracle:
    cdef Dynamic c

    @staticmethod
    cdef DynamicOracle wrap(best_moves_t best_moves, note_t note)

# The dynamic oracle of a system; nothing but NULL if it has none.
cdef Dynamic dynamic_oracle(str name)
