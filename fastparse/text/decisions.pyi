from typing import Any

import numpy as np

LOAD: float
LARGEST: int

class WeightTable:
    buckets: np.ndarray[Any, Any]
    def __init__(self, buckets: np.ndarray[Any, Any], bias: int) -> None: ...
    @property
    def bias(self) -> int: ...
    @staticmethod
    def build(keys: np.ndarray[Any, Any], weights: np.ndarray[Any, Any], bias: int) -> WeightTable: ...

def form_key(folded: str) -> int: ...
def suffix_key(folded: str) -> int: ...
