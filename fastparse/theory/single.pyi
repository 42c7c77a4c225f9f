from collections.abc import Sequence

from fastparse.machine.system import System
from fastparse.oracles.static_oracle import StaticOracle

OUTSIDE: int
TOO_MANY: int
NOT_A_TREE: int

def derive_one(
    system: System,
    oracle: StaticOracle,
    variant: int,
    heads: Sequence[int],
    labels: Sequence[int] | None,
    choices: Sequence[int] | None = None,
) -> tuple[int, list[int], list[int]]: ...
def derive_graph(
    system: System,
    oracle: StaticOracle,
    variant: int,
    n: int,
    arcs: Sequence[tuple[int, int]],
    labels: Sequence[int] | None,
) -> tuple[int, list[int], list[int]]: ...
