"""The oracle of the printed two-registers system: the same rules, with the moves that system allows."""

from fastparse.oracles.oracle cimport Oracle
from fastparse.oracles.static cimport StaticOracle
from fastparse.oracles.two_registers cimport N_SCRATCH, next_move, prepare

cdef Oracle ORACLE_C = Oracle(n_scratch=N_SCRATCH, prepare=prepare, next=next_move, made=NULL, close=NULL)
ORACLE = StaticOracle.wrap(&ORACLE_C)
