from typing import Any

import numpy as np

def packed(
    rows: np.ndarray[Any, Any], counts: np.ndarray[Any, Any], size: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...
def unpacked(codes: np.ndarray[Any, Any], pieces: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]: ...
