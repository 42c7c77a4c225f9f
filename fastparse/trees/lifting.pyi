from collections.abc import Callable

import numpy as np
import numpy.typing as npt

class Lifter:
    def __init__(self, into: str | Callable[[list[int]], bool], root_arcs: bool) -> None: ...

def lift(heads: npt.ArrayLike, into: str | Callable[[list[int]], bool], root_arcs: bool = True) -> list[int]: ...
def lift_treebank(
    heads: npt.ArrayLike, offsets: npt.ArrayLike, into: str | Callable[[list[int]], bool], root_arcs: bool = True
) -> tuple[npt.NDArray[np.int32], int]: ...
