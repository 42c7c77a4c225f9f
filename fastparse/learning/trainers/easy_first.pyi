import numpy as np

from fastparse.features.attributes import Values
from fastparse.search.engine import Engine

class EasyFirstTrainer:
    clock: int
    n_updates: int
    n_steps: int
    def __init__(self, engine: Engine, values: Values, offsets: np.ndarray) -> None: ...
    def learn(self, order: np.ndarray, heads: np.ndarray, labels: np.ndarray, margin: int) -> None: ...
