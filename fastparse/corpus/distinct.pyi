from typing import Any

import numpy as np

_Integers = np.ndarray[Any, np.dtype[np.int32]]

def distinct_triples(
    a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], c: np.ndarray[Any, Any]
) -> tuple[_Integers, _Integers]: ...
