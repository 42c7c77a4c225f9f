from fastparse.machine.system import System
from fastparse.transition_systems.oracle import StaticOracle

ORACLE: StaticOracle

def make(k: int, switch: str, root: str) -> System: ...
def system_of_planes(name: str, k: int, switch: str, root: str) -> System: ...
