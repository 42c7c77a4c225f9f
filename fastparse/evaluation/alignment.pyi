from typing import Any

import numpy as np

from fastparse.corpus.strings.interning import StringTable

_Integers = np.ndarray[Any, np.dtype[np.int64]]

def lay_out(
    table: StringTable,
    form_ids: np.ndarray[Any, Any],
    source: bytes,
    first: np.ndarray[Any, Any],
    stop: np.ndarray[Any, Any],
    cells: np.ndarray[Any, Any],
) -> tuple[np.ndarray[Any, np.dtype[np.uint8]], _Integers, _Integers, np.ndarray[Any, np.dtype[np.bool_]]]: ...
def common_spans(starts: np.ndarray[Any, Any], others: np.ndarray[Any, Any]) -> tuple[_Integers, _Integers]: ...
def align(
    gold_starts: np.ndarray[Any, Any],
    gold_multiword: np.ndarray[Any, Any],
    gold_tokens: np.ndarray[Any, Any],
    gold_keys: np.ndarray[Any, Any],
    starts: np.ndarray[Any, Any],
    multiword: np.ndarray[Any, Any],
    tokens: np.ndarray[Any, Any],
    keys: np.ndarray[Any, Any],
) -> np.ndarray[Any, np.dtype[np.int64]]: ...
