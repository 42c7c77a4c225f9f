from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from typing_extensions import disjoint_base

from fastparse.lemmas.scripts import Script

@disjoint_base
class Perceptron:
    n_steps: int
    keys: np.ndarray[Any, np.dtype[np.uint64]]
    def __init__(
        self,
        scripts: Sequence[Script],
        forms: list[str],
        lemmas: list[str],
        wanted: np.ndarray[Any, Any],
        upos: np.ndarray[Any, Any],
        feats: np.ndarray[Any, Any],
    ) -> None: ...
    @property
    def known_lemmas(self) -> np.ndarray[Any, np.dtype[np.uint64]]: ...
    def learn(self, order: Iterable[int], with_known: bool = True) -> int: ...
    def state(self) -> dict[str, np.ndarray[Any, Any]]: ...
    def restore(
        self,
        begins: np.ndarray[Any, Any],
        scripts: np.ndarray[Any, Any],
        weights: np.ndarray[Any, Any],
        drifts: np.ndarray[Any, Any],
    ) -> None: ...
    def averaged(
        self,
    ) -> tuple[
        np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int32]], np.ndarray[Any, np.dtype[np.float64]]
    ]: ...
