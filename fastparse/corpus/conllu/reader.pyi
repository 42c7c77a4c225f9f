from typing import Any

import numpy as np
from typing_extensions import disjoint_base

from fastparse.corpus.strings.interning import StringTable

@disjoint_base
class Columns:
    def release(self) -> dict[str, Any]: ...

def read_block(
    source: bytes,
    begin: int,
    end: int,
    *,
    final: bool,
    max_words: int,
    n_columns: int,
    go_on: bool,
    heads: bool = True,
) -> tuple[dict[str, Any], list[tuple[str, int, int, int, int, int, int]]]: ...
def line_feeds(data: bytes) -> int: ...
def read_tail(
    source: bytes, head_at: np.ndarray[Any, Any], column: int
) -> tuple[np.ndarray[Any, Any], StringTable]: ...
def read_ranges(
    source: bytes, begins: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]
) -> np.ndarray[Any, np.dtype[np.int64]]: ...
