from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from fastparse.machine.system import System
from fastparse.theory.configuration import CellConfiguration

class Exploration:
    system: System
    n: int
    n_configurations: int
    n_dead_ends: int
    n_unsound: int
    longest: int
    whole: bool
    final_arcs: set[tuple[tuple[int, int], ...]]
    trees: set[tuple[int, ...]]
    def __init__(
        self,
        system: str | System,
        n: int,
        visit: Callable[[CellConfiguration], None] | None = None,
        beyond_final: bool = False,
        ways: bool = False,
        most: int | None = None,
        **options: Any,
    ) -> None: ...
    def way_to(self, arcs: Iterable[tuple[int, int]]) -> list[str]: ...

def is_derivable(system: str | System, arcs: Sequence[tuple[int, int]], n: int, **options: Any) -> bool: ...
def has_own_configurations(system: System) -> bool: ...
def identity(configuration: Any) -> Hashable: ...
def is_acyclic(heads: Sequence[int]) -> bool: ...
