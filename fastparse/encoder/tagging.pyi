from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fastparse.corpus.sheet import Sheet
from fastparse.corpus.strings.interning import StringTable
from fastparse.corpus.strings.vectors import Vector
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.reading import Forms

class Seat: ...

class Tags:
    columns: dict[str, StringTable]
    def __init__(
        self, forms: Forms, encoder: Encoder, columns: Mapping[str, Sequence[str]], classes: np.ndarray[Any, Any]
    ) -> None: ...
    def tagged(self, sheet: Sheet) -> Sheet: ...
    def room(self, sheet: Sheet) -> tuple[Vector, ...]: ...
    def filled(self, sheet: Sheet, said: tuple[Vector, ...]) -> Sheet: ...
    def say(
        self, sheet: Sheet, first: int, last: int, into: tuple[Vector, ...],
        given: np.ndarray[Any, Any] | None = None,
    ) -> None: ...  # fmt: skip
