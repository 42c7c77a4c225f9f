from typing import Any

import numpy as np

from fastparse.corpus.layout import Layout
from fastparse.corpus.strings.interning import StringTable

class Tokenization:
    text: bytes
    forms: StringTable
    read: Layout | None
    def __init__(self, text: bytes) -> None: ...
    def __len__(self) -> int: ...
    @property
    def ids(self) -> np.ndarray[Any, Any]: ...
    @property
    def offsets(self) -> np.ndarray[Any, Any]: ...
    def misc(self) -> tuple[np.ndarray[Any, Any], StringTable]: ...
    def source(self) -> bytes: ...
    def write(
        self, begin: int, end: int, heads: Any, columns: dict[int, tuple[Any, StringTable]], *, first: int,
        copy_deps: bool,
    ) -> bytes: ...  # fmt: skip

def joined(parts: list[Tokenization]) -> Tokenization: ...
