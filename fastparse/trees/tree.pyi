from typing import Any

import numpy as np
import numpy.typing as npt

DEFECTS: tuple[str, ...]

class TreeOwner: ...

def check_tree(heads: npt.ArrayLike) -> None: ...
def checked_heads(
    heads: npt.ArrayLike, offsets: npt.ArrayLike | None = None
) -> tuple[np.ndarray[Any, np.dtype[np.int32]], np.ndarray[Any, np.dtype[np.int64]]]: ...
def defects(
    heads: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, np.dtype[np.int8]], np.ndarray[Any, np.dtype[np.int32]]]: ...
