"""Hybrid: LEFT-ARC, else RIGHT-ARC, as soon as the dependent has all its own dependents, else SHIFT.

gold.missing of a complete dependent counts one arc, the one to its head.
"""

from fastparse.machine.operations cimport below, buffer_word, word_of
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.hybrid cimport LEFT_ARC, RIGHT_ARC, SHIFT


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    return READY


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t s = word_of(a, c.stack[0]), b = buffer_word(a, c)
    if s > 0 and gold.missing[s] == 1:
        if gold.head[s] == b:
            return LEFT_ARC
        if gold.head[s] == word_of(a, below(a, c.stack[0])):
            return RIGHT_ARC
    return SHIFT if b >= 0 else NONE


cdef Oracle ORACLE_C = Oracle(
    n_scratch=0, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
