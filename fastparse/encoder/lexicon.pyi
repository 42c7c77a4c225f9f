from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

NAMES: tuple[str, ...]
MOST_COLUMNS: int
MOST_KINDS: int
MOST_BITS: int
CHECKS: int
WORDS_OF_A_BUCKET: int

class Lexicon:
    parts: dict[str, _Array]
    columns: int
    def __init__(self, counts: _Array, checks: _Array, kinds: _Array, sizes: _Array, codes: _Array) -> None: ...
    @classmethod
    def of(cls, words: Sequence[str], codes: Any) -> Lexicon: ...
    @classmethod
    def among(cls, arrays: Mapping[str, _Array]) -> Lexicon | None: ...
    def arrays(self) -> dict[str, _Array]: ...
    def strings(self, form: str) -> list[str]: ...
    def __len__(self) -> int: ...
