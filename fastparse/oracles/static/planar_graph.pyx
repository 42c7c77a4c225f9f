"""The oracle of planar systems for graphs: at each buffer front all arcs to its left, the nearest first.

    LEFT-ARC, RIGHT-ARC    the next of these arcs is between s and b
    REDUCE                 it starts further left
    SHIFT                  there is none left
"""

from fastparse.machine.operations cimport front
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle, OUTSIDE, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.planar_graph cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT

cdef enum:
    # Gold.scratch; the lists of arcs take two rooms each, for 4 (n + 2) arcs.
    STARTING                    # [word] first arc that starts (has its left end) here
    ENDING                      # [word] first arc that ends here, the nearest start first
    NEXT_STARTING = 2           # [arc]
    NEXT_ENDING = 4             # [arc]
    N_SCRATCH = 6


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t* starting = gold.scratch[STARTING]
    cdef int32_t* ending = gold.scratch[ENDING]
    cdef int32_t* next_starting = gold.scratch[NEXT_STARTING]
    cdef int32_t* next_ending = gold.scratch[NEXT_ENDING]
    cdef int32_t w, k, right
    if gold.n_arcs > 4 * gold.n + 4:
        return OUTSIDE          # more than a planar graph can have
    for w in range(gold.n + 1):
        starting[w] = ending[w] = NONE
    for k in range(gold.n_arcs):
        w = min(gold.arc_head[k], gold.arc_dependent[k])
        next_starting[k] = starting[w]
        starting[w] = k
    for w in range(gold.n + 1):
        k = starting[w]
        while k >= 0:
            right = max(gold.arc_head[k], gold.arc_dependent[k])
            next_ending[k] = ending[right]
            ending[right] = k
            k = next_starting[k]
    return READY


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c), k = gold.scratch[ENDING][b]
    if k < 0:
        return SHIFT
    if min(gold.arc_head[k], gold.arc_dependent[k]) != s:
        return REDUCE
    gold.scratch[ENDING][b] = gold.scratch[NEXT_ENDING][k]
    gold.move_arc = k
    return RIGHT_ARC if gold.arc_dependent[k] == b else LEFT_ARC


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
