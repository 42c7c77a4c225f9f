"""Costs of moves by looking ahead: what a rule of thumb loses after each, and a search where it may be wrong.

The arcs that can still be drawn, each for itself, are what may be hoped for. A rule of thumb leads from every move to
an end; where it draws all that was hoped for, the move costs nothing. If that is so after no move, a search looks for
derivations that lose less than the best of these ends, one arc after the other, and gives up after a number of
configurations that shrinks with the length of the sentence: a step takes time that is quadratic in the number of words
at most. Where it gives up, the rule of thumb is believed.

Configurations are changed in place and made as they were again. Only for systems whose moves change no cells but those
of the stack top, the buffer front and the registers.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.transition_systems.oracle cimport best_moves_t

# The arcs of the tree that are drawn, and those that may still be, each for itself.
ctypedef int32_t (*hope_t)(const Spec*, const Arena*, const State*, const int32_t* head,
                           int32_t* scratch) noexcept nogil

# The moves of least cost among legal; scratch is the rule's own, of scratch_room(n) numbers, the rule's own first.
cdef uint32_t look_ahead(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal, best_moves_t rule, hope_t hope) noexcept nogil
