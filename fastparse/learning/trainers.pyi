from typing import Any

from fastparse.features.attributes import Values
from fastparse.search.engine import Engine
from fastparse.search.three_step import PassEngine

class Trainer:
    clock: int
    n_updates: int
    n_steps: int
    def __init__(self, engine: Engine, values: Values, offsets: Any, moves: Any, labels: Any, starts: Any) -> None: ...
    def count_features(self) -> None: ...

class GreedyTrainer(Trainer):
    def learn(
        self, order: Any, heads: Any, labels: Any, explore: float, seed: int, margin: int, static: bool
    ) -> None: ...

class StructuredTrainer(Trainer):
    def __init__(
        self,
        engine: Engine,
        values: Values,
        offsets: Any,
        moves: Any,
        labels: Any,
        starts: Any,
        beam: int,
        minibatch: int,
        threads: int = 1,
    ) -> None: ...
    def learn(self, order: Any, heads: Any, labels: Any, max_violation: bool, margin: int) -> None: ...
    def search(self, thread: int) -> None: ...
    def change(self, thread: int) -> None: ...

class EasyFirstTrainer:
    clock: int
    n_updates: int
    n_steps: int
    def __init__(self, engine: Engine, values: Values, offsets: Any) -> None: ...
    def learn(self, order: Any, heads: Any, labels: Any, margin: int) -> None: ...

class PassTrainer:
    clock: int
    n_updates: int
    def __init__(self, engine: PassEngine, values: Values, offsets: Any, n_labels: int) -> None: ...
    def learn(
        self,
        order: Any,
        anchors: Any,
        labels: Any,
        heads: Any,
        wanted: Any,
        under: Any,
        explore: float,
        seed: int,
        margin: int,
    ) -> None: ...
