from typing import Any

def clear(x: Any) -> None: ...
def embed(ids: Any, first: int, last: int, table: Any, out: Any, at: int) -> None: ...
def embed_backward(ids: Any, first: int, last: int, d_out: Any, at: int, d_table: Any) -> None: ...
def drop(x: Any, seed: int, rate: float) -> None: ...
def neighbours(x: Any, start: Any, end: Any, distance: int, out: Any) -> None: ...
def neighbours_backward(d_out: Any, start: Any, end: Any, distance: int, d_x: Any) -> None: ...
def maxout_norm(
    pieces: Any,
    bias: Any,
    gain: Any,
    shift: Any,
    residual: Any,
    out: Any,
    normal: Any,
    inverse: Any,
    which: Any,
    seed: int,
    rate: float,
) -> None: ...
def maxout_norm_backward(
    d_out: Any,
    gain: Any,
    normal: Any,
    inverse: Any,
    which: Any,
    rate: float,
    d_pieces: Any,
    d_bias: Any,
    d_gain: Any,
    d_shift: Any,
    scratch: Any,
) -> None: ...
def softmax_loss(
    scores: Any,
    offset: Any,
    gold: Any,
    weight: float,
    d_scores: Any,
    d_offset: Any,
    best: Any,
    said: Any = None,
    share: float = 0.0,
) -> tuple[float, int]: ...
def merge(gradient: Any, other: Any) -> float: ...
def adam(
    x: Any,
    gradient: Any,
    first: Any,
    second: Any,
    rate: float,
    keep_first: float,
    keep_second: float,
    decay: float,
    factor: float,
    step: int,
    mean: Any = None,
    share: float = 0.0,
) -> None: ...
def probabilities(scores: Any, offset: Any, share: float) -> None: ...
