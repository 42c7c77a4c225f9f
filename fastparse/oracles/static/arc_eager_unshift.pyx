"""The oracle of arc-eager/unshift: that of arc-eager, and REDUCE when the buffer is empty and all words have heads.

Where the tree is not projective a word may lack its head at the end; REDUCE is not legal then.
"""

from fastparse.machine.operations cimport front
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle
from fastparse.oracles.static.arc_eager cimport next_move as next_in_arc_eager, prepare
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.arc_eager cimport REDUCE


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    return next_in_arc_eager(oracle, spec, a, c, gold) if front(a, c) >= 0 else REDUCE


cdef Oracle ORACLE_C = Oracle(
    n_scratch=0, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
