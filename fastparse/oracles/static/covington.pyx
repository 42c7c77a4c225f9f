"""Covington: each arc when its two words are in focus; SHIFT as soon as no arc joins j to i or a word left of i."""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.covington cimport LEFT_ARC, NO_ARC, RIGHT_ARC, SHIFT


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    return READY


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t i = c.focus, j = c.next, leftmost
    if j > gold.n:
        return NONE
    # Children ascend, so the leftmost word joined to j is its head or its first child.
    leftmost = gold.head[j]
    if gold.first_child[j] >= 0 and gold.first_child[j] < leftmost:
        leftmost = gold.first_child[j]
    if i < leftmost:
        return SHIFT
    if gold.head[i] == j:
        return LEFT_ARC
    if gold.head[j] == i:
        return RIGHT_ARC
    return NO_ARC


cdef Oracle ORACLE_C = Oracle(
    n_scratch=0, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
