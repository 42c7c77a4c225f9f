"""The oracle of the printed two-registers system: the same rules, with the moves that system allows.

Here it matters which valid pair of an interval is chosen. Where the derivation fails, the next one is tried for the
leftmost interval that was not finished.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport int32_t
from fastparse.oracles.crossing cimport crossing_interval
from fastparse.oracles.oracle cimport Gold, Oracle, READY
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.oracles.static_oracle.two_registers cimport (
    ABOVE, CROSSED, N_SCRATCH, PARTNER, PENDING, choose, next_move, prepare)


cdef bint retry(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t left, right = -1, w
    if gold.choices != NULL:
        return False
    while crossing_interval(gold, gold.scratch[CROSSED], right + 1, &left, &right):
        for w in range(left, right + 1):
            if gold.scratch[PARTNER][w] >= 0 and gold.scratch[PENDING][w] > 0:
                gold.scratch[ABOVE][2 * left] = w
                gold.scratch[ABOVE][2 * left + 1] = gold.scratch[PARTNER][w]
                return choose(gold) == READY
    return False


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=retry)
ORACLE = StaticOracle.wrap(&ORACLE_C)
