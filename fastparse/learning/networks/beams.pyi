from typing import Any

from fastparse.learning.networks.transitions import Transitions

LARGEST_BEAM: int

class Beams(Transitions):
    def learn_from_beams(
        self, bases: Any, sizes: Any, heads: Any, labels: Any, size: int, weight: float
    ) -> tuple[float, float]: ...
    def ways(self, base: int, n: int, size: int) -> list[tuple[float, list[int], list[int]]]: ...
