"""The byte arithmetic of an encoder as the book tells it: numpy in wide integers, one array after the other.

Arrays are those of fastparse/encoder/arrays.py, in their own types. Nothing is packed, blocked or kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Arrays = Mapping[str, Array]

MOST_IDS = 255
NO_LABEL = 65535


def shifted(sums: Array, shift: int) -> Array:
    """Sums divided by 2**shift and rounded, halves up."""
    return (sums + ((1 << shift) >> 1)) >> shift


def as_bytes(values: Array) -> Array:
    return np.clip(values + 64, 0, 127)


def embedded(arrays: Arrays, ids: Array, ends: Array) -> Array:
    """The input bytes of words."""
    segments = []
    starts = np.concatenate([[0], ends.reshape(-1)[:-1]]).reshape(ends.shape)
    for s, shift in enumerate(arrays["segments.shifts"]):
        table = arrays[f"segments.{s}"].astype(np.int64)
        sums = np.zeros((len(ends), table.shape[1]), np.int64)
        for word in range(len(ends)):
            own = ids[starts[word, s] : ends[word, s]][:MOST_IDS]
            sums[word] = table[own[(own >= 0) & (own < len(table))]].sum(axis=0)
        segments.append(as_bytes(shifted(sums, int(shift))))
    return np.concatenate(segments, axis=1)


def maxout(arrays: Arrays, name: str, inputs: Array, shift: int) -> Array:
    weights = arrays[f"{name}.weights"].astype(np.int64)
    pieces, width = weights.shape[:2]
    weights = weights.reshape(pieces, width, -1)
    sums = np.einsum("nk,pwk->npw", inputs - 64, weights) + arrays[f"{name}.bias"].astype(np.int64)
    return np.clip(shifted(sums.max(axis=1), shift), -8191, 8191)


def normed(arrays: Arrays, name: str, sums: Array, epsilon: Any) -> Array:
    """Layer norm of integers: exact sums, square root and division in double, the rest in single precision."""
    width = sums.shape[1]
    total, squares = sums.sum(axis=1), (sums**2).sum(axis=1)
    mean = (total.astype(np.float64) / width).astype(np.float32)
    variance = (width * squares - total**2).astype(np.float64) / (float(width) * float(width)) + np.float64(epsilon)
    inverse = (1.0 / np.sqrt(variance)).astype(np.float32)
    gain, offset = arrays[f"{name}.norm"]
    return (sums.astype(np.float32) - mean[:, None]) * inverse[:, None] * gain + offset


def neighbours(vectors: Array, distance: int) -> Array:
    """Each word's vector between those of its neighbours; the byte 64 beyond the ends."""
    zeros = np.full((distance, vectors.shape[1]), 64, vectors.dtype)
    padded = np.concatenate([zeros, vectors, zeros])
    n = len(vectors)
    return np.concatenate([padded[:n], vectors, padded[2 * distance :][:n]], axis=1)


def encoded(arrays: Arrays, ids: Array, ends: Array) -> Array:
    """The bytes of the words of one sentence."""
    shifts, (epsilons, scales) = arrays["layers.shifts"], arrays["layers.scales"]
    inputs = embedded(arrays, ids, ends)
    values = normed(arrays, "input", maxout(arrays, "input", inputs, int(shifts[0])), epsilons[0])
    vectors = as_bytes(np.rint(values * scales[0]).astype(np.int64))
    for layer, dilation in enumerate(arrays["layers.dilations"]):
        name = f"layers.{layer}"
        sums = maxout(arrays, name, neighbours(vectors, int(dilation)), int(shifts[layer + 1]))
        values = values + normed(arrays, name, sums, epsilons[layer + 1])
        vectors = as_bytes(np.rint(values * scales[layer + 1]).astype(np.int64))
    return vectors


def bucket(distance: int) -> int:
    bounds = [1, 2, 3, 4, 6, 10, 20]
    far = sum(abs(distance) > bound for bound in bounds) + 1 if distance else 0
    return far + 8 if distance < 0 else far


def scores(arrays: Arrays, choice: str, vectors: Array, states: Array) -> Array:
    """Scores of states of a sentence, [states, positions, 11]: word, head, l1, l2, r1, r2, label, children's labels."""
    slot_shift, byte_shift = (int(shift) for shift in arrays[f"{choice}.shifts"])
    slots, places, pairs = (arrays[f"{choice}.{part}"] for part in ("slots", "label_places", "distance_pairs"))
    n_rows = len(slots) + len(places) + len(pairs) + 1
    limit = (32767 - (64 << byte_shift) - ((1 << byte_shift) >> 1)) // n_rows
    weights = arrays[f"{choice}.slot_weights"].astype(np.int64)
    rows = np.clip(shifted(np.einsum("nw,krw->nkr", vectors - 64, weights), slot_shift), -limit, limit)
    hidden = len(arrays[f"{choice}.hidden_bias"]) // 2
    results = []
    for state in states:
        total = arrays[f"{choice}.hidden_bias"].astype(np.int64)
        for k, (position, field, delta) in enumerate(slots):
            word = int(state[position, field])
            word = word + int(delta) if word >= 0 else -1
            total = total + (rows[word, k] if 0 <= word < len(vectors) else arrays[f"{choice}.none"][k])
        for j, (position, field) in enumerate(places):
            label = int(state[position, 6 if field == 1 else 5 + field])
            table = arrays[f"{choice}.label_rows"][j]
            total = total + table[label + 1 if label + 1 < len(table) else 0]
        for j, (a, b) in enumerate(pairs):
            from_a, to_b = int(state[a, 0]), int(state[b, 0])
            at = bucket(to_b - from_a) if from_a >= 0 and to_b >= 0 else 0
            total = total + arrays[f"{choice}.distance_rows"][j, at]
        assert np.abs(total).max() < 2**15 - (64 << byte_shift)
        byte = as_bytes(shifted(np.maximum(total[:hidden], total[hidden:]), byte_shift))
        results.append((byte - 64) @ arrays[f"{choice}.weights"].T.astype(np.int64) + arrays[f"{choice}.bias"])
    return np.array(results)


def arc_scores(arrays: Arrays, vectors: Array, heads: Sequence[int], dependents: Sequence[int]) -> Array:
    head_shift, dependent_shift, factor, shift = (int(value) for value in arrays["arcs.shifts"])
    weights, bias = arrays["arcs.weights"].astype(np.int64), arrays["arcs.bias"].astype(np.int64)
    head = np.clip(shifted((vectors - 64) @ weights[0].T + bias[0], head_shift), -63, 63)
    dependent = np.clip(shifted((vectors - 64) @ weights[1].T + bias[1], dependent_shift), -63, 63)
    products = (head[list(heads)] * dependent[list(dependents)]).sum(axis=1)
    return shifted(products * factor, shift)


def tags(arrays: Arrays, tag: int, vectors: Array) -> Array:
    sums = (vectors - 64) @ arrays[f"tags.{tag}.weights"].T.astype(np.int64) + arrays[f"tags.{tag}.bias"]
    return np.argmax(sums, axis=1)
