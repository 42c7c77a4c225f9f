from typing import Any

from fastparse.features.attributes import Values
from fastparse.learning.trainers.trainer import Trainer
from fastparse.search.engine import Engine

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
