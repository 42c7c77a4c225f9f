from typing import Any

from fastparse.features.attributes import Values
from fastparse.features.plan import Plan
from fastparse.machine.system import System
from fastparse.search.engine import Engine
from fastparse.transition_systems.three_step import LEFT as LEFT
from fastparse.transition_systems.three_step import RIGHT as RIGHT

class PassEngine:
    system: System
    put_plan: Plan
    dist_plan: Plan
    put_table: Any
    dist_table: Any
    label_table: Any
    def __init__(
        self, side: str, put: Plan, dist: Plan, put_table: Any, dist_table: Any, label_table: Any = None
    ) -> None: ...

class MirroredEngine:
    engine: Engine
    def __init__(self, engine: Engine) -> None: ...
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
        by_move: Any = None,
        threshold: int = 0,
    ) -> int: ...

class ThreeStepEngine:
    engine: Engine
    left: PassEngine
    right: PassEngine
    mirrored: bool
    def __init__(self, engine: Engine, left: PassEngine, right: PassEngine, mirrored: bool = False) -> None: ...
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
        by_move: Any = None,
        threshold: int = 0,
    ) -> int: ...
    def improve(
        self,
        values: Values,
        offsets: Any,
        first: int,
        last: int,
        heads: Any,
        labels: Any,
        transitions: Any,
        nanoseconds: Any = None,
        by_move: Any = None,
    ) -> None: ...
