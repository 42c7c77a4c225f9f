from typing import Any

import numpy as np

MARKS: str

class Characters:
    pages: np.ndarray[Any, Any]
    kinds: np.ndarray[Any, Any]
    folds: np.ndarray[Any, Any]
    def __init__(
        self, pages: np.ndarray[Any, Any], kinds: np.ndarray[Any, Any], folds: np.ndarray[Any, Any]
    ) -> None: ...
    @staticmethod
    def of_unicode() -> Characters: ...
    def fold(self, text: str) -> str: ...
    def kind(self, character: str) -> int: ...
