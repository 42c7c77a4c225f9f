from typing import Any

import numpy as np

from fastparse.encoder.encoder import Encoder

class Lexicon:
    def __init__(self, encoder: Encoder, ids: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> None: ...
    def said(
        self,
        forms: np.ndarray[Any, Any],
        lengths: np.ndarray[Any, Any],
        classes: np.ndarray[Any, Any],
        given: np.ndarray[Any, Any] | None = ...,
    ) -> np.ndarray[Any, Any]: ...
