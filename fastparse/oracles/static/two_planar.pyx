"""The oracles of 2-planar: crossed arcs are assigned to planes, then each plane is built as a planar system would.

How the planes are built is in oracles/planes.pxd. Arcs connected by crossings leave one choice together: which of
their two colours is which plane. For a given assignment no derivation has fewer SWITCHes.

greedy: when the first arc of such a component is due, it takes the active plane. Linear.
fewest: the assignment with fewest SWITCHes, by dynamic programming over the choices of components that are open, that
is, have both ended and unended arcs (fewest_switches.pyx); refused where too many are open at once.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport int32_t
from fastparse.oracles.fewest_switches cimport N_SCRATCH, PLANE, fewest_switches
from fastparse.oracles.oracle cimport Gold, Oracle, OUTSIDE, READY
from fastparse.oracles.planes cimport (
    ANY_PLANE, ARC_PLANE, AS_IT_IS, COMPONENT, ENDING, EXCHANGED, NEXT_ENDING, next_in_planes, take_requested)
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.trees.arcs cimport list_by_right_end
from fastparse.trees.two_colouring cimport Colours, colour_arcs, colour_of, colours_in, component_of

cdef enum:
    GREEDY, FEWEST              # Gold.options


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef Colours k = colours_in(&gold.tree, 0)
    cdef int32_t m, root
    cdef int status = READY
    list_by_right_end(&gold.tree, True, gold.scratch[ENDING], gold.scratch[NEXT_ENDING])
    if gold.choices != NULL:
        return take_requested(gold, 2)
    if not colour_arcs(&gold.tree, True, &k, gold.scratch[ENDING], gold.scratch[NEXT_ENDING]):
        return OUTSIDE
    if gold.options == FEWEST:
        status = fewest_switches(gold, &k)
    for m in range(1, gold.n + 1):
        root = component_of(&k, m)
        gold.scratch[EXCHANGED][m] = 0
        gold.scratch[ARC_PLANE][m] = colour_of(&k, m)
        if k.size[root] == 1:
            gold.scratch[COMPONENT][m] = ANY_PLANE
        elif gold.options == FEWEST:
            gold.scratch[ARC_PLANE][m] ^= gold.scratch[PLANE][root]
            gold.scratch[COMPONENT][m] = AS_IT_IS
        else:
            gold.scratch[COMPONENT][m] = root
    return status


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, analyses=True, prepare=prepare, next=next_in_planes, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C, ("greedy", "fewest"))
