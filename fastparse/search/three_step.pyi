from typing import Any

from fastparse.features.plan import Plan
from fastparse.machine.system import System
from fastparse.search.engine import Engine, Loop, Outcome
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

class MirroredEngine(Loop):
    engine: Engine
    def __init__(self, engine: Engine) -> None: ...

class ThreeStepEngine(Loop):
    engine: Engine
    left: PassEngine
    right: PassEngine
    mirrored: bool
    def __init__(self, engine: Engine, left: PassEngine, right: PassEngine, mirrored: bool = False) -> None: ...
    def improve(self, values: Any, out: Outcome, first: int, last: int) -> None: ...
