from fastparse.machine.system import System
from fastparse.transition_systems.oracle import DynamicOracle, StaticOracle

ORACLE: StaticOracle
DYNAMIC: DynamicOracle

def make(root: str, single_head: bool, acyclic: bool, covered_roots: bool) -> System: ...
