from typing import Any

import numpy as np

from fastparse.encoder.encoder import Encoder

class Scratch:
    encoder: Encoder
    def __init__(self, encoder: Encoder, block: int = ..., window: int = ...) -> None: ...
    def encode(
        self,
        ids: np.ndarray[Any, Any],
        ends: np.ndarray[Any, Any],
        lengths: np.ndarray[Any, Any] | list[int],
        kinds: np.ndarray[Any, Any] | None = None,
    ) -> None: ...
    def vectors(self) -> np.ndarray[Any, Any]: ...
    def tags(
        self, tag: int, classes: np.ndarray[Any, Any] | None = None, given: np.ndarray[Any, Any] | None = None
    ) -> np.ndarray[Any, Any]: ...
