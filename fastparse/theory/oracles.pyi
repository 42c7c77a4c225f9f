from collections.abc import Sequence
from typing import Any

from fastparse.machine.system import System
from fastparse.transition_systems.oracle import StaticOracle

IS_OUTSIDE: int
IS_TOO_HARD: int
IS_NO_TREE: int

def oracle_of(system: str | System) -> Any: ...
def variant_of(system: System, oracle: StaticOracle, wanted: str | None = None) -> int: ...
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
def columns(heads: Any, labels: Any, offsets: Any) -> tuple[Any, Any, Any]: ...
def derivations_of(
    system: str | System, heads: Any, labels: Any, offsets: Any, oracle: str | None = None
) -> tuple[Any, Any, Any, Any]: ...
def graph_derivations_of(
    system: System, oracle: StaticOracle, sizes: Any, counts: Any, arcs: Any
) -> tuple[Any, Any, Any, Any]: ...
def lengths_of(
    system: str | System,
    heads: Any,
    offsets: Any,
    oracle: str | None = None,
    by_move: bool = False,
    threads: int = 1,
) -> Any: ...
def count(
    s: System,
    o: StaticOracle,
    variant: int,
    heads: Any,
    offsets: Any,
    first: int,
    last: int,
    result: Any,
    by_move: bool,
) -> None: ...
def fallbacks_of(system: System | str, heads: Any, offsets: Any, oracle: str | None = None) -> Any: ...
