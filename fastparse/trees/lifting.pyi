from collections.abc import Callable

import numpy as np
import numpy.typing as npt

class Pieces:
    count: int

class Lifter:
    def __init__(self, into: str | Callable[[list[int]], bool], root_arcs: bool) -> None: ...

def lift(heads: npt.ArrayLike, into: str | Callable[[list[int]], bool], root_arcs: bool = True) -> list[int]: ...
def lift_treebank(
    heads: npt.ArrayLike, offsets: npt.ArrayLike, into: str | Callable[[list[int]], bool], root_arcs: bool = True
) -> tuple[npt.NDArray[np.int32], int]: ...
def anchors_treebank(heads: npt.ArrayLike, offsets: npt.ArrayLike) -> npt.NDArray[np.int32]: ...
def projective_heads(heads: npt.ArrayLike, at_once: bool = False) -> list[int]: ...
def projective_treebank(
    heads: npt.ArrayLike, offsets: npt.ArrayLike, at_once: bool = False
) -> npt.NDArray[np.int32]: ...
