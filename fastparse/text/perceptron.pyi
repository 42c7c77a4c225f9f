from typing import Any

import numpy as np

def learn(
    rows: np.ndarray[Any, Any], answers: np.ndarray[Any, Any], n_features: int, *, passes: int, margin: int, seed: int
) -> tuple[np.ndarray[Any, Any], float]: ...
