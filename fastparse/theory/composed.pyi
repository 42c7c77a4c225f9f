from fastparse.machine.system import System
from fastparse.transition_systems.oracle import StaticOracle

ORACLE: StaticOracle

def oracle_of(system: System) -> StaticOracle: ...
