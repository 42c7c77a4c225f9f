from fastparse.oracles.static import StaticOracle
from fastparse.transition_systems.system import System

ORACLE: StaticOracle

def oracle_of(system: System) -> StaticOracle: ...
