from typing import Any

import numpy as np

from fastparse.corpus.strings.interning import StringTable

def read_tail(
    source: bytes, head_at: np.ndarray[Any, Any], column: int
) -> tuple[np.ndarray[Any, Any], StringTable]: ...
