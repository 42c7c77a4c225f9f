from fastparse.transition_systems.configuration import CellConfiguration
from fastparse.transition_systems.system import System

SYSTEM: System

class PendingConfiguration(CellConfiguration):
    def copy(self) -> PendingConfiguration: ...
    @property
    def pending(self) -> list[int]: ...

def configuration(name: str, n: int) -> PendingConfiguration: ...
