"""The oracle of k-planar: a colouring of the crossing arcs with as few planes as can be, then each plane in turn.

How the planes are built is in oracles/planes.pxd. The colouring is a search where two planes are not enough; trees for
which it is given up are refused as too hard. The fewest SWITCHes are not sought.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport int32_t
from fastparse.oracles.oracle cimport Gold, NO_MEMORY, Oracle, OUTSIDE, READY, TOO_MANY
from fastparse.oracles.planes cimport (
    ARC_PLANE, COMPONENT, ENDING, EXCHANGED, N_PLANES_SCRATCH, NEXT_ENDING, next_in_planes, take_requested)
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.trees.arcs cimport list_by_right_end
from fastparse.trees.planes cimport COLOURING_NO_MEMORY, UNDECIDED, colour_fewest


cdef int prepare(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t m, needed
    list_by_right_end(&gold.tree, True, gold.scratch[ENDING], gold.scratch[NEXT_ENDING])
    if gold.choices != NULL:
        return take_requested(gold, spec.n_stacks)
    # Components are -1 for uncrossed arcs, as ANY_PLANE is.
    needed = colour_fewest(&gold.tree, True, gold.scratch[ARC_PLANE], gold.scratch[COMPONENT])
    if needed == COLOURING_NO_MEMORY:
        return NO_MEMORY
    if needed == UNDECIDED:
        return TOO_MANY
    for m in range(gold.n + 1):
        gold.scratch[EXCHANGED][m] = 0
    return READY if needed <= spec.n_stacks else OUTSIDE


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_PLANES_SCRATCH, analyses=True, prepare=prepare, next=next_in_planes, made=NULL, close=NULL, retry=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
