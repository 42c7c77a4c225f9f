"""The oracle of arc-standard for directed acyclic graphs.

A word leaves with an arc that enters it, so the last arc at a word must be one from a head. An arc h -> d between stack
top and buffer front is drawn

    by REDUCE      if no other arc at d is missing,
    by ATTACH      if other arcs at d are missing, one from a head among them,
    not yet        if d would be left without a way to leave;

and SHIFT follows where none is drawn. An arc that waits is one from the left to a word with arcs to its right: these
bring the word back to the front of the buffer. Were the missing arcs elsewhere, they would cover the head or a word
between without a head outside the cycle they close, which an acyclic graph without covered roots excludes.
"""

from fastparse.machine.operations cimport front
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.dag_arc_standard cimport (
    LEFT_ATTACH, LEFT_REDUCE, RIGHT_ATTACH, RIGHT_REDUCE, SHIFT)

cdef enum:
    # Gold.scratch
    FROM                        # [word] first of its incoming arcs, which stand together
    UP_TO                       # [word] one behind the last
    HEADS_MISSING               # [word] incoming arcs not built
    N_SCRATCH


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t k, w
    for w in range(gold.n + 1):
        gold.scratch[FROM][w] = gold.scratch[UP_TO][w] = gold.scratch[HEADS_MISSING][w] = 0
    for k in range(gold.n_arcs):
        w = gold.arc_dependent[k]
        if gold.scratch[UP_TO][w] == 0:
            gold.scratch[FROM][w] = k
        gold.scratch[UP_TO][w] = k + 1
        gold.scratch[HEADS_MISSING][w] += 1
    return READY


cdef inline int32_t wanted(const Gold* gold, const Arena* a, int32_t head, int32_t dependent) noexcept nogil:
    """The arc from head to dependent if it is in the graph and not built, by bisection; else NONE."""
    cdef int32_t low = gold.scratch[FROM][dependent], high = gold.scratch[UP_TO][dependent], middle, k
    while low < high:
        middle = (low + high) // 2
        if gold.arc_head[middle] < head:
            low = middle + 1
        else:
            high = middle
    if low == gold.scratch[UP_TO][dependent] or gold.arc_head[low] != head:
        return NONE
    k = a.graph.first_in[dependent]
    while k >= 0:
        if a.graph.head[k] == head:
            return NONE
        k = a.graph.next_in[k]
    return low


cdef inline int32_t draw(Gold* gold, int32_t arc, int32_t dependent, int32_t by_reduce,
                         int32_t by_attach) noexcept nogil:
    """The move that draws a wanted arc, or NONE when it has to wait."""
    cdef int32_t move = NONE
    if arc < 0:
        return NONE
    if gold.missing[dependent] == 1:
        move = by_reduce
    elif gold.scratch[HEADS_MISSING][dependent] > 1:
        move = by_attach
    if move >= 0:
        gold.scratch[HEADS_MISSING][dependent] -= 1
        gold.move_arc = arc
    return move


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t s = c.stack[0], b = front(a, c), move
    if s < 0:
        return SHIFT
    move = draw(gold, wanted(gold, a, b, s), s, LEFT_REDUCE, LEFT_ATTACH)
    if move < 0:
        move = draw(gold, wanted(gold, a, s, b), b, RIGHT_REDUCE, RIGHT_ATTACH)
    return move if move >= 0 else SHIFT


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, analyses=False, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
