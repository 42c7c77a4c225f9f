"""From a network in floats to the integers of an encoder, with scales chosen on sentences that it parses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.floats import Sample, States
from fastparse.encoder.inputs import NOTHING
from fastparse.encoder.quantise import Places, Quantised, quantised
from fastparse.learning.networks.export import exported, read_of_states, visited
from fastparse.learning.networks.states import buckets_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.networks.network import Network

__all__ = ["encoder_of", "with_temperature"]

_SCALE = "moves.scale"  # steps of a score per nat
_WORDS = 2500
_STATES = 4000


def encoder_of(network: Network, treebank: Treebank) -> Quantised:
    """Args: treebank: with trees; its first sentences are the sample."""
    found = visited(network, treebank, _WORDS)
    ids, lengths = found["ids"], found["lengths"]
    columns = [bounds for group, bounds in network.inputs.columns().items() if group in network.shape.rows]
    there = ids != NOTHING
    ends = np.cumsum(np.stack([there[:, slice(*bounds)].sum(1) for bounds in columns], 1)).reshape(len(ids), -1)
    arcs = _arcs(treebank, lengths)
    read, read_of_labels = read_of_states(network), [("H", 0, 0), ("D", 0, 0)]
    places = {
        "moves": Places(read["slots"], read["labels"], read["distances"]),
        "labels": Places(read_of_labels, [], [("H", "D")]),
    }
    nothing = np.zeros((len(arcs), 0), np.int32)
    part = slice(0, None, max(1, len(found["words"]) // _STATES))  # states of all sentences alike
    states = {
        "moves": States(found["words"][part], found["labels"][part], found["buckets"][part]),
        "labels": States(arcs, nothing, buckets_of(arcs[:, 1] - arcs[:, 0])[:, None]),
    }
    sample = Sample(ids[there], ends, lengths, states, arcs)
    return quantised(exported(network), network.shape.distances, places, sample)


def with_temperature(arrays: dict[str, np.ndarray[Any, Any]], temperature: float) -> dict[str, np.ndarray[Any, Any]]:
    """An encoder's arrays, with scores of moves that are divided by this before they become probabilities."""
    scale = arrays[_SCALE].view(np.float32) * np.float32(temperature)
    return {**arrays, _SCALE: scale.view(np.uint32)}


def _arcs(treebank: Treebank, lengths: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Rows of heads and dependents of the sample's trees; rows of each sentence begin with its root."""
    bases = np.repeat(np.cumsum(lengths) - lengths, lengths - 1)
    heads = np.asarray(treebank.heads)[: len(bases)]
    inside = np.arange(len(bases)) - np.repeat(np.cumsum(lengths - 1) - (lengths - 1), lengths - 1)
    return np.stack([bases + heads, bases + inside + 1], 1).astype(np.int32)
