"""Attardi's system: an arc of degree 1 if possible, else one of degree 2, else SHIFT.

An arc is possible when its dependent, which it removes, has all its own dependents: gold.missing counts one arc, the
one to its head. This greedy choice derives every tree that is derivable at all (checked for all trees of up to 6
words).
"""

from fastparse.machine.operations cimport below, buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.nonprojective.attardi cimport LEFT_ARC, LEFT_ARC2, RIGHT_ARC, RIGHT_ARC2, SHIFT


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    return READY


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t s = word_of(a, c.stack[0]), t = word_of(a, below(a, c.stack[0])), b = buffer_word(a, c)
    if b < 0:
        return NONE
    if s >= 0:
        if gold.head[s] == b and gold.missing[s] == 1:
            return LEFT_ARC
        if gold.head[b] == s and gold.missing[b] == 1:
            return RIGHT_ARC
    if t >= 0:
        if gold.head[t] == b and gold.missing[t] == 1:
            return LEFT_ARC2
        if gold.head[b] == t and gold.missing[b] == 1:
            return RIGHT_ARC2
    return SHIFT


cdef Oracle ORACLE_C = Oracle(
    n_scratch=0, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
