from typing import Any

from fastparse.transition_systems.system import System

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
