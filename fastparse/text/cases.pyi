from typing import Any

import numpy as np

DECISIONS: tuple[str, ...]

class Cases:
    def __init__(self) -> None: ...
    def arrays(self, decision: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...

def learn(
    rows: np.ndarray[Any, Any], answers: np.ndarray[Any, Any], n_features: int, *, passes: int, margin: int, seed: int
) -> tuple[np.ndarray[Any, Any], float]: ...
