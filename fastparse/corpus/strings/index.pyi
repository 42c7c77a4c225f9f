from typing import Any

import numpy as np
from typing_extensions import disjoint_base

@disjoint_base
class Index:
    def __init__(self, keys: np.ndarray[Any, Any], values: np.ndarray[Any, Any] | None = None) -> None: ...
