from typing import Any

from fastparse.features.attributes import Values
from fastparse.features.plan import Plan
from fastparse.machine.system import System

MAX_BEAM: int
MOST_MOVES: int

class Engine:
    system: System
    moves: Plan
    moves_flat: Plan
    labels: Plan
    labels_flat: Plan
    move_table: Any
    label_table: Any
    root_label: Any
    inner_label: Any
    def __init__(
        self,
        system: System,
        moves: Plan,
        moves_flat: Plan,
        labels: Plan,
        labels_flat: Plan,
        move_table: Any,
        label_table: Any,
        root_label: Any,
        inner_label: Any,
        single_root: bool,
        labels_with_moves: bool = False,
    ) -> None: ...
    @property
    def single_root(self) -> bool: ...
    def parse(
        self,
        values: Values,
        offsets: Any,
        first: int,
        last: int,
        beam: int,
        heads: Any,
        labels: Any,
        transitions: Any,
        nanoseconds: Any = None,
        sharing: bool = True,
        room: int = 0,
        by_move: Any = None,
        threshold: int = 0,
        steps: Any = None,
    ) -> int: ...
