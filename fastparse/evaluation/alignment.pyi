from typing import Any

import numpy as np

def align(
    gold_starts: np.ndarray[Any, Any],
    gold_multiword: np.ndarray[Any, Any],
    gold_tokens: np.ndarray[Any, Any],
    gold_keys: np.ndarray[Any, Any],
    starts: np.ndarray[Any, Any],
    multiword: np.ndarray[Any, Any],
    tokens: np.ndarray[Any, Any],
    keys: np.ndarray[Any, Any],
) -> np.ndarray[Any, np.dtype[np.int64]]: ...
