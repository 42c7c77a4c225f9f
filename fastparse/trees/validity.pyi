from typing import Any

import numpy as np

DEFECTS: tuple[str, ...]

def defects(
    heads: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, np.dtype[np.int8]], np.ndarray[Any, np.dtype[np.int32]]]: ...
