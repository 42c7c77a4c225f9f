from typing import Any

import numpy as np

from fastparse.corpus.strings.interning import StringTable

def assemble(
    offsets: np.ndarray[Any, Any],
    heads: np.ndarray[Any, Any],
    columns: dict[int, tuple[np.ndarray[Any, Any], StringTable]],
    headers: list[bytes | None] | None,
    lines: list[bytes] | None,
    line_sentence: np.ndarray[Any, Any] | None,
    line_at: np.ndarray[Any, Any] | None,
    *,
    copy_deps: bool,
) -> tuple[bytes, np.ndarray[Any, Any]]: ...
