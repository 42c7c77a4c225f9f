from fastparse.machine.system import System
from fastparse.oracles.static_oracle import StaticOracle

ORACLE: StaticOracle

def oracle_of(system: System) -> StaticOracle: ...
