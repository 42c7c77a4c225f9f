from collections.abc import Iterable
from typing import Any

import numpy as np
from typing_extensions import disjoint_base

from fastparse.corpus.strings.vectors import Vector

@disjoint_base
class StringTable:
    source: bytes
    def __init__(self, source: bytes, begins: Vector, lengths: Vector) -> None: ...
    @staticmethod
    def of(strings: Iterable[str]) -> StringTable: ...
    @staticmethod
    def of_cells(data: bytes, offsets: np.ndarray[Any, np.dtype[np.int32]]) -> StringTable: ...
    def __len__(self) -> int: ...
    @property
    def strings(self) -> list[str]: ...
    @property
    def hashes(self) -> np.ndarray[Any, np.dtype[np.uint64]]: ...
