"""The oracle of the planar system: at each buffer front all arcs to its left, the nearest first.

    LEFT-ARC, RIGHT-ARC    the next of these arcs starts at s
    REDUCE                 it starts further left
    SHIFT                  there is none left

Where words may have several heads the oracle is that of planar_graph.pyx.
"""

from fastparse.machine.operations cimport front
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.planar cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT
from fastparse.trees.arcs cimport list_by_right_end
from fastparse.trees.tree cimport left_end

cdef enum:
    # Gold.scratch
    FIRST, NEXT


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    list_by_right_end(&gold.tree, True, gold.scratch[FIRST], gold.scratch[NEXT])
    return READY


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t b = front(a, c), arc = gold.scratch[FIRST][b]
    if arc < 0:
        return SHIFT
    if c.stack[0] != left_end(&gold.tree, arc):
        return REDUCE
    gold.scratch[FIRST][b] = gold.scratch[NEXT][arc]
    return RIGHT_ARC if arc == b else LEFT_ARC


cdef Oracle ORACLE_C = Oracle(
    n_scratch=2, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
