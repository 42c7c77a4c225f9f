from typing import Any

from fastparse.machine.system import System

N_BUCKETS: int

def buckets_of(distances: Any) -> Any: ...

class States:
    system: System
    places: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    hidden: int
    rank: int
    n_labels: int
    def __init__(
        self,
        system: System,
        places: tuple[str, ...],
        pairs: tuple[tuple[str, str], ...],
        hidden: int,
        rank: int,
        root_label: Any,
        inner_label: Any,
        single_root: bool,
    ) -> None: ...
    def bind(self, values: dict[str, Any], gradients: dict[str, Any] | None = None) -> None: ...
    def use_rows(self, rows: Any, arcs: Any = None, d_rows: Any = None, d_arcs: Any = None) -> None: ...
    def label_hidden(self, heads: Any, hidden: Any, which: Any, seed: int, rate: float) -> None: ...
    def label_hidden_backward(self, heads: Any, d_hidden: Any, which: Any, rate: float) -> None: ...
