from typing import Any

import numpy as np
from typing_extensions import disjoint_base

@disjoint_base
class Index:
    def __init__(self, keys: np.ndarray[Any, Any], values: np.ndarray[Any, Any] | None = None) -> None: ...

def distinct_triples(
    a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], c: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, np.dtype[np.int32]], np.ndarray[Any, np.dtype[np.int32]]]: ...
