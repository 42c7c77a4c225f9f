from typing import Any

from fastparse.features.attributes import Values
from fastparse.search.engine import Engine

class Trainer:
    clock: int
    n_updates: int
    n_steps: int
    def __init__(self, engine: Engine, values: Values, offsets: Any, moves: Any, labels: Any, starts: Any) -> None: ...
    def count_features(self) -> None: ...
