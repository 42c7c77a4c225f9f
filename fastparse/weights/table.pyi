from typing import Any

import numpy as np
import numpy.typing as npt

def levels() -> int: ...

class BaseTable:
    width: int
    def sums(self, keys: Any) -> npt.NDArray[np.int32]: ...
    def sums_of_jobs(self, jobs: Any) -> npt.NDArray[np.int32]: ...

class CompiledTable(BaseTable):
    for_moves: bool
    level: int
    displacements: Any
    slots: Any
    pool: Any
    def __init__(
        self, width: int, for_moves: bool, displacements: Any, slots: Any, pool: Any, level: int | None = None
    ) -> None: ...
    @property
    def bytes(self) -> int: ...
