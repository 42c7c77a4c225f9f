from typing import Any

import numpy as np
from typing_extensions import disjoint_base

@disjoint_base
class Vector:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def array(self) -> np.ndarray[Any, Any]: ...
