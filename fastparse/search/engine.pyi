from typing import Any

import numpy as np
import numpy.typing as npt

from fastparse.corpus.sheet import Sheet
from fastparse.encoder.encoder import Encoder
from fastparse.features.attributes import Values
from fastparse.features.plan import Plan
from fastparse.machine.system import System

MAX_BEAM: int
NO_TREE: int
MOST_MOVES: int

def clock_overhead(readings: int = 100_000) -> float: ...

class Outcome:
    n: int
    n_words: int
    @property
    def offsets(self) -> np.ndarray[Any, Any]: ...
    @property
    def heads(self) -> np.ndarray[Any, Any]: ...
    @property
    def labels(self) -> np.ndarray[Any, Any]: ...
    @property
    def transitions(self) -> np.ndarray[Any, Any]: ...
    @property
    def nanoseconds(self) -> np.ndarray[Any, Any] | None: ...
    @property
    def by_move(self) -> np.ndarray[Any, Any] | None: ...
    @property
    def logs(self) -> np.ndarray[Any, Any] | None: ...
    @property
    def steps(self) -> np.ndarray[Any, Any] | None: ...
    tree_heads: np.ndarray[Any, Any] | None
    tree_labels: np.ndarray[Any, Any] | None
    tree_scores: np.ndarray[Any, Any] | None
    def __init__(
        self,
        offsets: Any,
        *,
        timed: bool = False,
        n_moves: int = 0,
        logs: bool = False,
        steps: int = 0,
        trees: int = 1,
    ) -> None: ...
    def part(self, first: int, last: int) -> Outcome: ...
    def trees(self, sheet: Sheet, names: list[str]) -> Sheet: ...
    def has_label(self, marked: np.ndarray[Any, Any]) -> bool: ...

class Seat: ...

class Loop:
    def parse(
        self,
        values: Any,
        out: Outcome,
        first: int,
        last: int,
        beam: int,
        threshold: int = 0,
        *,
        sharing: bool = True,
        room: int = 0,
    ) -> int: ...

class Engine(Loop):
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

class GraphEngine(Engine):
    def graphs(
        self, values: Values, offsets: Any, first: int, last: int, beam: int, threshold: int = 0
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...

class EncoderEngine(Loop):
    system: System
    encoder: Encoder
    root_label: Any
    inner_label: Any
    def __init__(
        self, system: System, encoder: Encoder, root_label: Any, inner_label: Any, single_root: bool
    ) -> None: ...
