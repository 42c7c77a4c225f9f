from typing import Any

from fastparse.machine.system import System
from fastparse.oracles.static_oracle import StaticOracle

def columns(heads: Any, labels: Any, offsets: Any) -> tuple[Any, Any, Any]: ...
def derivations_of(
    system: str | System, heads: Any, labels: Any, offsets: Any, oracle: str | None = None
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
