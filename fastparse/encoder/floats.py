"""The network before it is quantised: what its float arrays give on a sample, layer by layer.

Names and shapes, beside those of arrays.py (weights are outputs before inputs, pieces of a maxout before outputs):

    embeddings.{s} [rows, d]    input.weights [P, W, D], .bias [P, W], .gain [W], .offset [W]
    layers.{l}.weights [P, W, 3, W]; .bias, .gain, .offset
    {c}.slots [K, 2, H, W]      {c}.none [K, 2, H]      {c}.labels [J, labels + 1, 2, H]    {c}.distances [E, 17, 2, H]
    {c}.bias [2, H]             {c}.weights [M, H]      {c}.output_bias [M]
    arcs.head, arcs.dependent [A, W], arcs.head_bias, arcs.dependent_bias [A]
    tags.{name}.weights [n, W], .bias [n]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fastparse.encoder.arrays import CHOICES
from fastparse.encoder.reals import product

__all__ = ["EPSILON", "Activations", "Sample", "States", "activations", "tag_names"]

Array = np.ndarray[Any, Any]
Floats = Mapping[str, Array]

EPSILON = 1e-5


@dataclass(frozen=True)
class States:
    """What a choice reads in some states; words are rows of the sample.

    Attributes:
        words: [N, K], -1 where there is none.
        labels: [N, J], 0 for none, label + 1 otherwise.
        buckets: [N, E] of distances.
    """

    words: Array
    labels: Array
    buckets: Array


@dataclass(frozen=True)
class Sample:
    """Sentences and states of training data.

    Attributes:
        ids, ends, lengths: as Scratch.encode takes them.
        states: of "moves" and "labels", as far as the network has them.
        arcs: [N, 2] heads and dependents, rows of the sample.
    """

    ids: Array
    ends: Array
    lengths: Array
    states: Mapping[str, States] = field(default_factory=dict)
    arcs: Array | None = None


@dataclass
class Activations:
    """What a network gives on a sample.

    Attributes:
        segments: sums of embeddings, [rows, d] each.
        sums: of maxout, per layer, the input layer first, [rows, W].
        values: after each layer, [rows, W].
        hidden: of each choice, [N, H].
        scores: of each choice, [N, M]; "arcs", [N]; of tags.{name}.
        arcs: vectors of all rows as heads and as dependents.
    """

    segments: list[Array] = field(default_factory=list)
    sums: list[Array] = field(default_factory=list)
    values: list[Array] = field(default_factory=list)
    hidden: dict[str, Array] = field(default_factory=dict)
    scores: dict[str, Array] = field(default_factory=dict)
    arcs: tuple[Array, Array] | None = None


def activations(floats: Floats, dilations: tuple[int, ...], sample: Sample) -> Activations:
    found = Activations()
    ends = np.asarray(sample.ends)
    starts = np.concatenate([[0], ends.reshape(-1)[:-1]]).reshape(ends.shape)
    for s in range(ends.shape[1]):
        found.segments.append(_summed(floats[f"embeddings.{s}"], np.asarray(sample.ids), starts[:, s], ends[:, s]))
    x = _layer(floats, "input", np.concatenate(found.segments, axis=1), found)
    found.values.append(x)
    sentence = np.repeat(np.arange(len(sample.lengths)), sample.lengths)
    for layer, dilation in enumerate(dilations):
        around = np.concatenate([_neighbour(x, sentence, -dilation), x, _neighbour(x, sentence, dilation)], axis=1)
        x = x + _layer(floats, f"layers.{layer}", around, found)
        found.values.append(x)
    for choice in CHOICES:
        if choice in sample.states:
            found.hidden[choice] = _hidden(floats, choice, x, sample.states[choice])
            found.scores[choice] = (
                product(found.hidden[choice], floats[f"{choice}.weights"].T) + floats[f"{choice}.output_bias"]
            )
    if "arcs.head" in floats:
        heads, dependents = (
            product(x, floats[f"arcs.{end}"].T) + floats[f"arcs.{end}_bias"] for end in ("head", "dependent")
        )
        found.arcs = heads, dependents
        if sample.arcs is not None:
            found.scores["arcs"] = (heads[sample.arcs[:, 0]] * dependents[sample.arcs[:, 1]]).sum(axis=1)
    for tag in tag_names(floats):
        found.scores[f"tags.{tag}"] = product(x, floats[f"tags.{tag}.weights"].T) + floats[f"tags.{tag}.bias"]
    return found


def tag_names(floats: Floats) -> list[str]:
    """Tags of a network, in the order of its arrays."""
    return [name.split(".")[1] for name in floats if name.startswith("tags.") and name.endswith(".weights")]


def _summed(table: Array, ids: Array, starts: Array, ends: Array) -> Array:
    """Sums of the rows of each word; ids outside the table are none."""
    counts = ends - starts
    words = np.repeat(np.arange(len(counts)), counts)
    own = ids[np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)]
    inside = (own >= 0) & (own < len(table))
    sums = np.zeros((len(counts), table.shape[1]), np.float32)
    np.add.at(sums, words[inside], table[own[inside]])
    return sums


def _layer(floats: Floats, name: str, inputs: Array, found: Activations) -> Array:
    weights = floats[f"{name}.weights"]
    pieces, width = weights.shape[:2]
    sums = product(inputs, weights.reshape(pieces * width, -1).T).reshape(-1, pieces, width) + floats[f"{name}.bias"]
    best = sums.max(axis=1)
    found.sums.append(best)
    deviation = np.sqrt(best.var(axis=1, keepdims=True) + EPSILON)
    return np.asarray(
        (best - best.mean(axis=1, keepdims=True)) / deviation * floats[f"{name}.gain"] + floats[f"{name}.offset"]
    )


def _neighbour(x: Array, sentence: Array, distance: int) -> Array:
    """The vectors so many words to the right; zeros beyond the ends of the sentence."""
    there = np.arange(len(x)) + distance
    inside = (there >= 0) & (there < len(x))
    there = np.where(inside, there, 0)
    inside &= sentence[there] == sentence
    return np.where(inside[:, None], x[there], 0).astype(x.dtype)


def _hidden(floats: Floats, choice: str, x: Array, states: States) -> Array:
    total = np.repeat(floats[f"{choice}.bias"][None], len(states.words), axis=0)
    for k in range(states.words.shape[1]):
        weights, words = floats[f"{choice}.slots"][k], states.words[:, k]
        rows = product(x[np.maximum(words, 0)], weights.reshape(-1, x.shape[1]).T).reshape(-1, *weights.shape[:2])
        total = total + np.where(words[:, None, None] >= 0, rows, floats[f"{choice}.none"][k])
    for j in range(states.labels.shape[1]):
        total = total + floats[f"{choice}.labels"][j][states.labels[:, j]]
    for j in range(states.buckets.shape[1]):
        total = total + floats[f"{choice}.distances"][j][states.buckets[:, j]]
    return np.asarray(total.max(axis=1))
