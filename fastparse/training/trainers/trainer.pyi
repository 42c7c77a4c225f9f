from typing import Any

from fastparse.features.attributes import Values
from fastparse.search.scoring.engine import Engine

class Trainer:
    clock: int
    n_updates: int
    n_steps: int
    def __init__(
        self, engine: Engine, values: Values, offsets: Any, moves: Any, labels: Any, starts: Any, beam: int
    ) -> None: ...
    def learn_structured(self, order: Any, heads: Any, max_violation: bool, margin: int) -> None: ...
    def count_features(self) -> None: ...
    def learn_greedy(
        self, order: Any, heads: Any, labels: Any, explore: float, seed: int, margin: int, static: bool
    ) -> None: ...
