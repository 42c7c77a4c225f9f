"""Random encoders and sentences."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.encoder.arrays import BUCKETS, POSITIONS, VERSION, row_limit

Arrays = dict[str, np.ndarray[Any, Any]]
SEGMENTS = ((50, 32), (300, 64), (20, 16))


def weights(random: np.random.Generator, *shape: int, extreme: bool = False) -> np.ndarray[Any, Any]:
    """Bell-shaped within +-63, or nothing but the ends of the range."""
    if extreme:
        return random.choice(np.array([-63, 63], np.int8), shape)
    return np.clip(np.rint(random.normal(0, 20, shape)), -63, 63).astype(np.int8)


def random_choice(
    random: np.random.Generator, width: int, hidden: int, counts: tuple[int, int, int], labels: int, outputs: int,
    positions: list[int], extreme: bool = False,
) -> Arrays:  # fmt: skip
    slots, places, pairs = counts
    limit = 64 if not extreme else row_limit(sum(counts) + 1, 4)
    rows = lambda *shape: random.integers(-limit, limit + 1, (*shape, 2 * hidden)).astype(np.int16)  # noqa: E731
    fields = random.integers(0, 6 if POSITIONS.index("H") not in positions else 1, slots)
    return {
        "scale": np.array([1000], np.float32),
        "shifts": np.array([6, 4], np.int32),
        "slots": np.stack([random.choice(positions, slots), fields, random.integers(-1, 2, slots)], 1).astype(np.int32),
        "label_places": np.stack([random.choice(positions, places), random.integers(1, 6, places)], 1).astype(np.int32),
        "distance_pairs": random.choice(positions, (pairs, 2)).astype(np.int32),
        "slot_weights": weights(random, slots, 2 * hidden, width, extreme=extreme),
        "none": rows(slots),
        "label_rows": rows(places, labels + 1),
        "distance_rows": rows(pairs, BUCKETS),
        "hidden_bias": rows(),
        "weights": weights(random, outputs, hidden, extreme=extreme),
        "bias": random.integers(-5000, 5000, outputs).astype(np.int32),
    }


def random_arrays(
    seed: int, width: int = 64, pieces: int = 2, dilations: tuple[int, ...] = (1, 2), hidden: int = 32,
    label_hidden: int = 64, counts: tuple[int, int, int] = (13, 7, 2), labels: int = 20, moves: int = 4, arcs: int = 32,
    tags: tuple[int, ...] = (17, 90), segments: tuple[tuple[int, int], ...] = SEGMENTS, extreme: bool = False,
) -> Arrays:  # fmt: skip
    """A network in integers, in its own types; with `extreme`, as large as it may be."""
    random = np.random.default_rng(seed)
    n = len(dilations)
    inputs = sum(size for _, size in segments)
    arrays: Arrays = {
        "shape": np.array([VERSION, width, pieces, len(segments), n, arcs, len(tags)], np.int32),
        "segments.shifts": random.integers(0, 3, len(segments)).astype(np.int32),
        "layers.dilations": np.array(dilations, np.int32),
        "layers.shifts": random.integers(0 if extreme else 3, 6, n + 1).astype(np.int32),
        "layers.scales": np.array([[50.0] * (n + 1), [20.0 / (i + 1) ** 0.5 for i in range(n + 1)]], np.float32),
    }
    for s, (rows, size) in enumerate(segments):
        arrays[f"segments.{s}"] = random.integers(-128, 128, (rows, size)).astype(np.int8)
    for layer in range(n + 1):
        name, inner = (f"layers.{layer - 1}", (3, width)) if layer else ("input", (inputs,))
        arrays[f"{name}.weights"] = weights(random, pieces, width, *inner, extreme=extreme)
        arrays[f"{name}.bias"] = random.integers(-3000, 3000, (pieces, width)).astype(np.int32)
        arrays[f"{name}.norm"] = random.normal([[1.0], [0.0]], 0.3, (2, width)).astype(np.float32)
    words = [p for p, name in enumerate(POSITIONS) if name not in ("H", "D")]
    ends = [POSITIONS.index("H"), POSITIONS.index("D")]
    choices = {
        "moves": random_choice(random, width, hidden, counts, labels, moves, words, extreme),
        "labels": random_choice(random, width, label_hidden, (2, 0, 1), labels, labels, ends, extreme),
    }
    for choice, parts in choices.items():
        arrays |= {f"{choice}.{name}": array for name, array in parts.items()}
    if arcs:
        arrays["arcs.weights"] = weights(random, 2, arcs, width, extreme=extreme)
        arrays["arcs.bias"] = random.integers(-500, 500, (2, arcs)).astype(np.int32)
        arrays["arcs.shifts"] = np.array([8, 7, 700, 10], np.int32)
    for t, size in enumerate(tags):
        arrays[f"tags.{t}.weights"] = weights(random, size, width, extreme=extreme)
        arrays[f"tags.{t}.scale"] = np.array([1000], np.float32)
        arrays[f"tags.{t}.bias"] = random.integers(-500, 500, size).astype(np.int32)
    return arrays


def random_words(
    seed: int, lengths: list[int], segments: tuple[tuple[int, int], ...] = SEGMENTS, most: int = 9
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Ids and where those of a word and segment end; some are of no row."""
    random = np.random.default_rng(seed)
    counts = random.integers(0, most + 1, (sum(lengths), len(segments)))
    counts[:, 0] = 1
    ids = [
        random.integers(-1, rows + 1, count) for row in counts for (rows, _), count in zip(segments, row, strict=True)
    ]
    ends = np.cumsum(counts.reshape(-1)).reshape(counts.shape)
    return np.concatenate(ids).astype(np.int32), ends.astype(np.int32)


def random_states(seed: int, n: int, count: int, labels: int) -> np.ndarray[Any, Any]:
    """Cells at all positions: anything that fits a sentence of n words."""
    random = np.random.default_rng(seed)
    states = np.empty((count, len(POSITIONS), 11), np.int32)
    states[:, :, :6] = random.integers(-1, n + 1, (count, len(POSITIONS), 6))
    states[:, :, 6:] = random.choice([*range(labels), 65535], (count, len(POSITIONS), 5))
    return states


def sentence_slices(lengths: list[int]) -> list[slice]:
    """The rows of each sentence of a batch."""
    stops = np.cumsum(lengths)
    return [slice(stop - length, stop) for stop, length in zip(stops, lengths, strict=True)]


def own_ids(
    ids: np.ndarray[Any, Any], ends: np.ndarray[Any, Any], rows: slice
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Ids and ends of one sentence of a batch."""
    first = ends.reshape(-1)[rows.start * ends.shape[1] - 1] if rows.start else 0
    own = ends[rows] - first
    return ids[first : first + own[-1, -1]], own
