"""The oracle of the printed two-registers system: the same rules, with the moves that system allows.

Here it matters which valid pair of an interval is chosen. Where the derivation fails, the next one is tried for the
leftmost interval that was not finished.
"""

from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport int32_t
from fastparse.oracles.oracle cimport Gold, Oracle
from fastparse.oracles.static.two_registers cimport (
    A, LEFT, N_PAIRS, N_SCRATCH, PAIR, PENDING, next_move, prepare, take_pairs)
from fastparse.oracles.static_oracle cimport StaticOracle
from fastparse.trees.intervals cimport MAX_PAIRS


cdef bint retry(const Oracle* oracle, const Spec* spec, Gold* gold) noexcept nogil:
    cdef int32_t i = 0
    if gold.choices != NULL:
        return False
    while gold.scratch[LEFT][i] >= 0:
        if gold.scratch[PENDING][gold.scratch[A][MAX_PAIRS * i + gold.scratch[PAIR][i]]] > 0:
            gold.scratch[PAIR][i] += 1
            if gold.scratch[PAIR][i] == gold.scratch[N_PAIRS][i]:
                return False
            take_pairs(gold)
            return True
        i += 1
    return False


cdef Oracle ORACLE_C = Oracle(
    n_scratch=N_SCRATCH, analyses=True, prepare=prepare, next=next_move, made=NULL, close=NULL, retry=retry)
ORACLE = StaticOracle.wrap(&ORACLE_C)
