"""A dynamic oracle of arc-eager/unshift: that of arc-eager, until a word has come back to the buffer.

Then b is all of the buffer, and arcs between words of the stack can be drawn as well, when the upper ones come back:

    REDUCE s      b's head, if it is s
    LEFT-ARC      b's head, if it is s; s's head on the stack; s's headless children on the stack
    RIGHT-ARC     b's head on the stack below s; b's headless children on the stack

That is not exact: such arcs can be drawn one by one, not all together, and arc-eager counts them as lost while there
are words to shift. From all configurations and trees of three words together it draws 99.8% of the arcs that can be
drawn.
"""

from fastparse.machine.operations cimport buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t, uint32_t
from fastparse.oracles.dynamic.arc_eager cimport best_moves as best_of_arc_eager
from fastparse.oracles.dynamic.costs cimport cheapest
from fastparse.oracles.dynamic_oracle cimport DynamicOracle
from fastparse.transition_systems.arc_eager cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT
from fastparse.transition_systems.arc_eager_unshift cimport N_MOVES, UNSHIFT, UNSHIFTED


cdef uint32_t best_moves(const Spec* spec, const Arena* a, const State* c, const int32_t* head, int32_t* scratch,
                         uint32_t legal) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), s = word_of(a, c.stack[0]), cell = c.stack[0], k
    cdef int32_t cost[N_MOVES]
    if b < 0:
        return legal
    if not c.own_flags & UNSHIFTED:
        return best_of_arc_eager(spec, a, c, head, scratch, legal)
    cost[SHIFT] = cost[UNSHIFT] = cost[RIGHT_ARC] = 0
    cost[REDUCE] = cost[LEFT_ARC] = head[b] == s
    while cell >= 0:
        k = a.cells[cell].word
        cost[LEFT_ARC] += head[s] == k or (a.cells[cell].head < 0 and head[k] == s)
        cost[RIGHT_ARC] += (k != s and head[b] == k) or (a.cells[cell].head < 0 and head[k] == b)
        cell = a.cells[cell].below
    return cheapest(cost, N_MOVES, legal)


ORACLE = DynamicOracle.wrap(best_moves, NULL)
