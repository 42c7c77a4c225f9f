from typing import Any

import numpy as np
from typing_extensions import disjoint_base

@disjoint_base
class Index:
    def __init__(self, keys: np.ndarray[Any, Any], values: np.ndarray[Any, Any] | None = None) -> None: ...

def triple_keys(
    forms: np.ndarray[Any, Any], upos: np.ndarray[Any, Any], feats: np.ndarray[Any, Any]
) -> np.ndarray[Any, np.dtype[np.uint64]]: ...
