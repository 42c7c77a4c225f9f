from collections.abc import Sequence

from fastparse.transition_systems.configuration import CellConfiguration
from fastparse.transition_systems.system import System

LEFT: System
RIGHT: System

class PassConfiguration(CellConfiguration):
    def begin(self, heads: Sequence[int] | None, labels: Sequence[str] | None) -> None: ...
    def copy(self) -> PassConfiguration: ...
    @property
    def theta(self) -> list[tuple[str, int]]: ...

def configuration(
    name: str, n: int, *, heads: Sequence[int] | None = None, labels: Sequence[str] | None = None
) -> PassConfiguration: ...
