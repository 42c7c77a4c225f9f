from typing import Any

import numpy as np
import numpy.typing as npt

from fastparse.weights.learning import LearningTable

def sums(table: Any, keys: Any) -> npt.NDArray[np.int32]: ...
def sums_of_jobs(table: Any, jobs: Any) -> npt.NDArray[np.int32]: ...
def learn(table: LearningTable, keys: Any, cls: int, delta: int, clock: int) -> None: ...
