from typing import Any

from fastparse.features.attributes import Values
from fastparse.search.three_step import PassEngine

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
