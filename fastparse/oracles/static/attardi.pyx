"""Attardi's system: the arc of the lowest degree that is possible, else SHIFT.

An arc is possible when its dependent, which it removes, has all its own dependents: gold.missing counts one arc, the
one to its head. This greedy choice derives every tree that is derivable at all (checked for all trees of up to 6
words, with either degree).
"""

from fastparse.machine.operations cimport below, buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.attardi cimport LEFT_ARC, SHIFT


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    return READY


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t b = buffer_word(a, c), cell = c.stack[0], move, s
    if b < 0:
        return NONE
    # A move to the left and one to the right for each place in reach.
    for move in range(LEFT_ARC, spec.n_moves, 2):
        if cell < 0:
            break
        s = word_of(a, cell)
        if gold.head[s] == b and gold.missing[s] == 1:
            return move
        if gold.head[b] == s and gold.missing[b] == 1:
            return move + 1
        cell = below(a, cell)
    return SHIFT


cdef Oracle ORACLE_C = Oracle(
    n_scratch=0, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
