from typing import Any

import numpy as np

DECISIONS: tuple[str, ...]

class Cases:
    def __init__(self) -> None: ...
    def arrays(self, decision: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...

def shuffle(order: np.ndarray[Any, Any], random: np.ndarray[Any, Any]) -> None: ...
def learn(
    rows: np.ndarray[Any, Any],
    answers: np.ndarray[Any, Any],
    order: np.ndarray[Any, Any],
    weights: np.ndarray[Any, Any],
    drift: np.ndarray[Any, Any],
    clock: int,
    margin: int,
) -> None: ...
def averages(weights: np.ndarray[Any, Any], drift: np.ndarray[Any, Any], clock: int) -> np.ndarray[Any, Any]: ...
