from typing import Any

import numpy as np

from fastparse.corpus.strings.interning import StringTable

DEPS: dict[str, int]

def unwritable(
    heads: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any], label_ids: np.ndarray[Any, Any], n_labels: int
) -> tuple[int, int]: ...
def splice(
    source: bytes,
    spans: np.ndarray[Any, Any],
    head_at: np.ndarray[Any, Any],
    heads: np.ndarray[Any, Any],
    deprel_ids: np.ndarray[Any, Any],
    labels: StringTable,
    *,
    deps: int,
    close: bool,
    others: dict[int, tuple[np.ndarray[Any, Any], StringTable]] | None = None,
) -> bytes: ...
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
