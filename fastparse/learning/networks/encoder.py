"""The encoder's layers over the words of a batch, forward and backward."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.encoder.reals import product
from fastparse.learning.networks import layers
from fastparse.learning.networks.shapes import Shape

__all__ = ["Buffers", "Encoder"]

Arrays = dict[str, np.ndarray[Any, Any]]


class Buffers:
    """Arrays by name that grow as they are asked for and keep their memory."""

    def __init__(self) -> None:
        self._kept: Arrays = {}

    def get(self, name: str, rows: int, width: int, kind: Any = np.float32) -> np.ndarray[Any, Any]:
        """An array of that size, whatever stands in it."""
        found = self._kept.get(name)
        if found is None or found.shape[0] < rows or found.shape[1] != width:
            found = self._kept[name] = np.zeros((rows + rows // 4, width), kind)
        return found[:rows]


class Encoder:
    """A convolutional encoder; scratch of one thread.

    Attributes:
        states: after forward, the numbers of each word.
        d_states: to be filled before backward.
    """

    def __init__(self, shape: Shape, columns: dict[str, tuple[int, int]]) -> None:
        """Args: columns: of the groups in the rows of ids."""
        self.shape = shape
        self.columns = columns
        self.buffers = Buffers()
        self.scratch = np.zeros(max(shape.width, 8), np.float32)
        self.rows = 0

    def forward(
        self, values: Arrays, ids: np.ndarray[Any, Any], start: np.ndarray[Any, Any], end: np.ndarray[Any, Any],
        seed: int = 0, rate: float = 0.0, added: np.ndarray[Any, Any] | None = None,
    ) -> np.ndarray[Any, Any]:  # fmt: skip
        """The states of words.

        Args:
            ids: as of Inputs.rows; start, end: of each row's sentence; seed, rate: of dropout.
            added: to the embedding of each row's form, see `FixedRows`.
        """
        shape, get, n = self.shape, self.buffers.get, len(ids)
        self.ids, self.start, self.end, self.seed, self.rate = ids, start, end, seed, rate
        embedded, at = get("embedded", n, shape.input), 0
        for group in shape.rows:
            layers.embed(ids, *self.columns[group], values[group], embedded, at)
            at += shape.embedding(group)
        if added is not None:
            embedded[:, : shape.form] += added  # the group of forms is the first
        layers.drop(embedded, seed, rate)
        state = self._norm(values, "input", embedded, None, 0)
        for i, distance in enumerate(shape.distances):
            window = get(f"window{i}", n, 3 * shape.width)
            layers.neighbours(state, start, end, distance, window)
            state = self._norm(values, f"layer{i}", window, state, i + 1)
        return state

    def _norm(self, values: Arrays, name: str, x: Any, residual: Any, number: int) -> np.ndarray[Any, Any]:
        shape, get, n = self.shape, self.buffers.get, len(x)
        pieces = get("pieces", n, shape.pieces * shape.width)
        product(x, values[f"{name}.weight"].T, pieces)
        out = get(f"{name}.out", n, shape.width)
        layers.maxout_norm(
            pieces, values[f"{name}.bias"], values[f"{name}.gain"], values[f"{name}.shift"], residual, out,
            get(f"{name}.normal", n, shape.width), get(f"{name}.inverse", n, 1).reshape(-1),
            get(f"{name}.which", n, shape.width, np.uint8), self._seed(number), self.rate,
        )  # fmt: skip
        return out

    def _seed(self, number: int) -> int:
        return (self.seed + 0x632BE59BD9B4E019 * (number + 1)) & 0xFFFFFFFFFFFFFFFF

    def backward(self, values: Arrays, gradients: Arrays, d_state: np.ndarray[Any, Any]) -> None:
        """Adds the gradients of embeddings, biases and norms, and sets those of weights; d_state is used up."""
        shape, get, n = self.shape, self.buffers.get, len(self.ids)
        for i in reversed(range(len(shape.distances))):
            window = get(f"window{i}", n, 3 * shape.width)
            d_window = get("d_window", n, 3 * shape.width)
            self._norm_backward(values, gradients, f"layer{i}", window, d_state, d_window)
            layers.neighbours_backward(d_window, self.start, self.end, shape.distances[i], d_state)
        d_embedded = get("d_embedded", n, shape.input)
        self._norm_backward(values, gradients, "input", get("embedded", n, shape.input), d_state, d_embedded)
        layers.drop(d_embedded, self.seed, self.rate)
        at = 0
        for group in shape.rows:
            layers.embed_backward(self.ids, *self.columns[group], d_embedded, at, gradients[group])
            at += shape.embedding(group)

    def _norm_backward(self, values: Arrays, gradients: Arrays, name: str, x: Any, d_out: Any, d_x: Any) -> None:
        shape, get, n = self.shape, self.buffers.get, len(x)
        d_pieces = get("d_pieces", n, shape.pieces * shape.width)
        layers.maxout_norm_backward(
            d_out, values[f"{name}.gain"], get(f"{name}.normal", n, shape.width),
            get(f"{name}.inverse", n, 1).reshape(-1), get(f"{name}.which", n, shape.width, np.uint8), self.rate,
            d_pieces, gradients[f"{name}.bias"], gradients[f"{name}.gain"], gradients[f"{name}.shift"], self.scratch,
        )  # fmt: skip
        product(d_pieces.T, x, gradients[f"{name}.weight"])
        product(d_pieces, values[f"{name}.weight"], d_x)
