"""The oracle of arc-eager: arcs as soon as they are in sight, words leave as soon as they are complete.

    LEFT-ARC    b -> s is in the tree, and s has all its dependents
    RIGHT-ARC   s -> b is in the tree
    REDUCE      s has its head and all its dependents
    SHIFT       otherwise

Any projective tree is built; of any other an arc stays out.
"""

from fastparse.machine.operations cimport front
from fastparse.oracles.oracle cimport READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.arc_eager cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    return READY


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c)
    if s < 0:
        return SHIFT
    if gold.head[s] == b and gold.missing[s] == 1:
        return LEFT_ARC
    if gold.head[b] == s:
        return RIGHT_ARC
    if gold.missing[s] == 0 and a.cells[s].head >= 0:
        return REDUCE
    return SHIFT


cdef Oracle ORACLE_C = Oracle(
    n_scratch=0, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
