from typing import Any

import numpy as np

from fastparse.encoder.scratch import Scratch

def scores(
    scratch: Scratch, choice: str, first: int, n: int, states: np.ndarray[Any, Any], repeats: int = ...
) -> np.ndarray[Any, Any]: ...
def row_scores(
    scratch: Scratch,
    choice: str,
    words: np.ndarray[Any, Any],
    labels: np.ndarray[Any, Any],
    buckets: np.ndarray[Any, Any],
) -> np.ndarray[Any, Any]: ...
def arc_scores(
    scratch: Scratch, first: int, n: int, heads: np.ndarray[Any, Any], dependents: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]: ...
def project_all(scratch: Scratch) -> None: ...
