"""The oracles of 2-planar: crossed arcs are assigned to planes, then each plane is built as a planar system would.

    LEFT-ARC, RIGHT-ARC    the next arc that ends at b in the active plane starts at s
    REDUCE                 it starts further left
    SWITCH                 there is none left, but there is one in the other plane
    SHIFT                  there is none in either

Arcs connected by crossings leave one choice together: which of their two colours is which plane. An uncrossed arc goes
to the active plane, unless b has crossed arcs in the other one only. For a given assignment no derivation has fewer
SWITCHes.

greedy: when the first arc of such a component is due, it takes the active plane. Linear.
fewest: the assignment with fewest SWITCHes, by dynamic programming over the choices of components that are open, that
is, have both ended and unended arcs (fewest_switches.pyx); refused where too many are open at once.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, NONE, State, int32_t, uint32_t
from fastparse.machine.words cimport top_word
from fastparse.oracles.fewest_switches cimport ENDING, NEXT_ENDING, N_SCRATCH, PLANE, fewest_switches
from fastparse.oracles.oracle cimport Gold, Oracle, OUTSIDE, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.transition_systems.planar.two_planar cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, SWITCH
from fastparse.trees.crossing.arcs cimport list_by_right_end
from fastparse.trees.crossing.two_colouring cimport Colours, colour_arcs, colour_of, colours_in, component_of
from fastparse.trees.tree cimport left_end

cdef enum:
    GREEDY, FEWEST              # Gold.options

cdef enum:
    # Gold.value
    DUE                         # the buffer front whose arcs have been placed, plus 1
    TODO                        # next arc of plane 0, then of plane 1, plus 1
    ACTIVE = 3                  # the active plane


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef Colours k = colours_in(&gold.tree, 0)
    cdef int32_t w
    list_by_right_end(&gold.tree, True, gold.scratch[ENDING], gold.scratch[NEXT_ENDING])
    for w in range(gold.n + 1):
        gold.scratch[PLANE][w] = NONE
    if not colour_arcs(&gold.tree, True, &k, gold.scratch[ENDING], gold.scratch[NEXT_ENDING]):
        return OUTSIDE
    return fewest_switches(gold, &k) if gold.options == FEWEST else READY


cdef void place(Gold* gold, int32_t b) noexcept nogil:
    """Lists the arcs that end at b by plane, the nearest start first."""
    cdef Colours k = colours_in(&gold.tree, 0)
    cdef int32_t* plane = gold.scratch[PLANE]
    cdef int32_t* next_arc = gold.scratch[NEXT_ENDING]
    cdef int32_t active = gold.value[ACTIVE], arc, following, root, p, free_plane
    cdef int32_t tail[2]
    cdef uint32_t needed = 0
    arc = gold.scratch[ENDING][b]
    while arc >= 0:
        root = component_of(&k, arc)
        if k.size[root] > 1:
            if plane[root] < 0:
                plane[root] = active ^ colour_of(&k, arc)
            needed |= <uint32_t>1 << (plane[root] ^ colour_of(&k, arc))
        arc = next_arc[arc]
    free_plane = active if needed == 0 or needed >> active & 1 else 1 - active
    gold.value[TODO] = gold.value[TODO + 1] = 0
    tail[0] = tail[1] = NONE
    arc = gold.scratch[ENDING][b]
    while arc >= 0:
        following = next_arc[arc]
        root = component_of(&k, arc)
        p = plane[root] ^ colour_of(&k, arc) if k.size[root] > 1 else free_plane
        if tail[p] < 0:
            gold.value[TODO + p] = arc + 1
        else:
            next_arc[tail[p]] = arc
        tail[p] = arc
        next_arc[arc] = NONE
        arc = following
    gold.value[DUE] = b + 1


cdef int32_t next_move(const Oracle* oracle, const Spec* spec, const Arena* a, const State* c,
                       Gold* gold) noexcept nogil:
    cdef int32_t b = c.next, active = gold.value[ACTIVE], arc
    if gold.value[DUE] != b + 1:
        place(gold, b)
    arc = gold.value[TODO + active] - 1
    if arc >= 0:
        if top_word(a, c, 0) != left_end(&gold.tree, arc):
            return REDUCE
        gold.value[TODO + active] = gold.scratch[NEXT_ENDING][arc] + 1
        return RIGHT_ARC if arc == b else LEFT_ARC
    if gold.value[TODO + 1 - active]:
        gold.value[ACTIVE] = 1 - active
        return SWITCH
    return SHIFT


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, analyses=True, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C, ("greedy", "fewest"))
