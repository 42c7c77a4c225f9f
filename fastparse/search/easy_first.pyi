import numpy as np

from fastparse.features.attributes import Values
from fastparse.search.engine import Engine

class EasyFirstEngine:
    engine: Engine
    def __init__(self, engine: Engine) -> None: ...
    def parse(
        self,
        values: Values,
        offsets: np.ndarray,
        first: int,
        last: int,
        beam: int,
        heads: np.ndarray,
        labels: np.ndarray,
        transitions: np.ndarray,
        nanoseconds: np.ndarray | None = None,
        by_move: np.ndarray | None = None,
        threshold: int = 0,
    ) -> int: ...
