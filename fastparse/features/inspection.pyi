from typing import Any

from fastparse.features.attributes import Values
from fastparse.features.plan import Plan
from fastparse.theory.configuration import CellConfiguration

def move_keys(plan: Plan, c: CellConfiguration, values: Values, offsets: Any, s: int) -> list[int]: ...
def label_keys(plan: Plan, c: CellConfiguration, values: Values, offsets: Any, s: int, move: str) -> list[int]: ...
def pair_keys(
    plan: Plan, c: CellConfiguration, values: Values, offsets: Any, s: int, head: int, dependent: int
) -> list[int]: ...
