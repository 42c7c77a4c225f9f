from typing import Any

import numpy as np

from fastparse.encoder.encoder import Encoder

LOG_UNIT: int

def table() -> np.ndarray[Any, Any]: ...
def of_moves(encoder: Encoder, scores: np.ndarray[Any, Any], legal: int) -> np.ndarray[Any, Any]: ...
def of_best_label(encoder: Encoder, scores: np.ndarray[Any, Any], allowed: np.ndarray[Any, Any]) -> tuple[int, int]: ...
