from typing import Any

import numpy as np

class Vector:
    def array(self) -> np.ndarray[Any, Any]: ...
