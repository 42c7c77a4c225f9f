from typing import Any

def levels() -> int: ...

class CompiledTable:
    for_moves: bool
    width: int
    level: int
    displacements: Any
    slots: Any
    pool: Any
    def __init__(
        self, width: int, for_moves: bool, displacements: Any, slots: Any, pool: Any, level: int | None = None
    ) -> None: ...
    @property
    def bytes(self) -> int: ...
