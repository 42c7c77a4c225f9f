from typing import Any

import numpy as np

def read_ranges(
    source: bytes, begins: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]
) -> np.ndarray[Any, np.dtype[np.int64]]: ...
