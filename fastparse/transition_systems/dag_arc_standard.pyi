from fastparse.machine.system import System
from fastparse.transition_systems.oracle import StaticOracle

ORACLE: StaticOracle

def make(acyclic: bool, root: str, doubles: bool) -> System: ...
