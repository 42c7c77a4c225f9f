from typing import Any

import numpy as np
import numpy.typing as npt

class TreeOwner: ...

def check_tree(heads: npt.ArrayLike) -> None: ...
def checked_heads(
    heads: npt.ArrayLike, offsets: npt.ArrayLike | None = None
) -> tuple[np.ndarray[Any, np.dtype[np.int32]], np.ndarray[Any, np.dtype[np.int64]]]: ...
