from typing import Any

LOAD: float

def levels() -> int: ...

class CompiledTable:
    for_moves: bool
    width: int
    level: int
    slots: Any
    pool: Any
    def __init__(self, width: int, for_moves: bool, slots: Any, pool: Any, level: int | None = None) -> None: ...
    @property
    def bytes(self) -> int: ...
    @staticmethod
    def build(width: int, for_moves: bool, keys: Any, starts: Any, classes: Any, weights: Any) -> CompiledTable: ...
