from typing import Any

from fastparse.learning.trainers.trainer import Trainer

class GreedyTrainer(Trainer):
    def learn(
        self, order: Any, heads: Any, labels: Any, explore: float, seed: int, margin: int, static: bool
    ) -> None: ...
