"""Networks that another one learns from: what they hold probable, beside what a treebank says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fastparse.encoder.inputs import Inputs
from fastparse.learning.networks.encoder import Buffers, Encoder
from fastparse.learning.networks.network import Network, Rows

__all__ = ["Teachers"]


class Teachers:
    """Networks that have learnt, over the same labels and classes and of the same inputs; scratch of one thread.

    What they say is the mean of their probabilities. They read sentences as these are, with nothing dropped.
    """

    def __init__(self, networks: Sequence[Network], inputs: Inputs) -> None:
        """Args: inputs: of the network that learns."""
        assert all(network.inputs == inputs for network in networks), "teachers read other inputs"
        self._networks = networks
        self._encoders = [Encoder(network.shape, network.inputs.columns()) for network in networks]
        self._buffers = [Buffers() for _ in networks]
        self.transitions: list[Any] = []
        for network in networks:
            if network.shape.moves:
                self.transitions.append(network.transitions())
                self.transitions[-1].bind(network.arrays)

    def read(self, ids: np.ndarray[Any, Any], part: Rows) -> None:
        """The sentences of a batch. Args: ids: of their rows."""
        self._states = []
        for network, encoder, buffers, transitions in zip(
            self._networks, self._encoders, self._buffers, self.transitions or [None] * len(self._networks), strict=True
        ):
            learnt, added = network.learnt(ids)
            state = encoder.forward(network.arrays, learnt, part.start, part.end, added=added)
            self._states.append(state)
            if transitions is not None:
                network.show(transitions, state, buffers)

    def classes(self, name: str) -> np.ndarray[Any, Any]:
        """Probabilities of an output's classes, per row of the batch."""
        return self._mean(
            state @ network.arrays[f"output.{name}.weight"].T + network.arrays[f"output.{name}.offset"]
            for network, state in zip(self._networks, self._states, strict=True)
        )

    def labels(self, heads: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Probabilities of the labels of each row's arc. Args: heads: its row, or negative."""
        return self._mean(self._label_scores(heads))

    def _label_scores(self, heads: np.ndarray[Any, Any]) -> Any:
        for network, transitions, buffers in zip(self._networks, self.transitions, self._buffers, strict=True):
            n, h = len(heads), network.shape.hidden
            hidden, which = buffers.get("hidden", n, h), buffers.get("which", n, h, np.uint8)
            transitions.label_hidden(heads, hidden, which, 0, 0.0)
            yield hidden @ network.arrays["labels.weight"].T + network.arrays["labels.offset"]

    def _mean(self, scores: Any) -> np.ndarray[Any, Any]:
        found: Any = 0
        for each in scores:
            each -= each.max(1, keepdims=True)
            np.exp(each, out=each)
            each /= each.sum(1, keepdims=True) * len(self._networks)
            found = found + each
        return np.asarray(found)
