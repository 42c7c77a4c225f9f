from typing import Any

import numpy as np

def triple_keys(
    forms: np.ndarray[Any, Any], upos: np.ndarray[Any, Any], feats: np.ndarray[Any, Any]
) -> np.ndarray[Any, np.dtype[np.uint64]]: ...
