from fastparse.machine.system import System
from fastparse.transition_systems.oracle import DynamicOracle, StaticOracle

ORACLE: StaticOracle
DYNAMIC: DynamicOracle

def make(root: str) -> System: ...
