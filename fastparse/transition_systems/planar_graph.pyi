from fastparse.machine.system import System
from fastparse.transition_systems.oracle import StaticOracle

ORACLE: StaticOracle

def make(single_head: bool, acyclic: bool, covered_roots: bool) -> System: ...
def make_dag(acyclic: bool) -> System: ...
