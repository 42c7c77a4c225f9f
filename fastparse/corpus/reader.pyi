from typing import Any

import numpy as np

from fastparse.corpus.interning import StringTable

def read_block(
    source: bytes, begin: int, end: int, *, final: bool, max_words: int, n_columns: int, go_on: bool
) -> tuple[dict[str, Any], list[tuple[str, int, int, int, int, int, int]]]: ...
def read_tail(
    source: bytes, head_at: np.ndarray[Any, Any], column: int
) -> tuple[np.ndarray[Any, Any], StringTable]: ...
