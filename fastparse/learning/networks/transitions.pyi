from typing import Any

from fastparse.learning.networks.states import States

class Transitions(States):
    def learn(
        self,
        sentences: Any,
        bases: Any,
        offsets: Any,
        heads: Any,
        labels: Any,
        own_labels: Any,
        moves: Any,
        move_labels: Any,
        starts: Any,
        weight: float,
        explore: float,
        seed: int,
        rate: float,
    ) -> tuple[float, int, int]: ...
    def learn_from(self, teachers: list[Transitions], share: float) -> None: ...
    def parse(self, offsets: Any, bases: Any, heads: Any, labels: Any, record: Any = None) -> int: ...
