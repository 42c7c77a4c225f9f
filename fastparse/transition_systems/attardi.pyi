from fastparse.machine.system import System
from fastparse.transition_systems.oracle import StaticOracle

ORACLE: StaticOracle

def make(degree: int) -> System: ...
