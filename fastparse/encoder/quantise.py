"""From a trained network in floats to the integers of arrays.py, with scales chosen on a sample of training data.

Scales are chosen by the error they leave: a range that covers every value wastes precision on rare ones, a narrow range
cuts them off. Nothing is learnt again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fastparse.encoder.arrays import BUCKETS, CHOICES, POSITIONS, VERSION, checked, row_limit, stored
from fastparse.encoder.encoder import Encoder
from fastparse.encoder.floats import EPSILON, Activations, Floats, Sample, activations, tag_names
from fastparse.encoder.inspection import arc_scores, row_scores
from fastparse.encoder.packing import packed
from fastparse.encoder.scratch import Scratch
from fastparse.errors import Error

__all__ = ["Places", "Quantised", "in_pieces", "quantised"]

Array = np.ndarray[Any, Any]

_WEIGHT = 63
_MOST_BIAS = 2**26
_NORM_LIMIT = 8191
_RANGES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)  # of the largest value, tried as the end of the range
_BYTE_SHIFT = 4  # sixteenths of a byte in sums of rows
_HEADROOM = 1.5  # over the largest sum of the sample
_EIGHTH = math.sqrt(math.sqrt(math.sqrt(2)))  # roots, products and quotients are the same on every machine
_STEPS = tuple(math.prod([_EIGHTH] * n) / math.sqrt(2) for n in range(9))  # from the root of 1/2 to that of 2
_PIECE = 4  # numbers of a piece of a table
_ROWS_IN_PIECES = 512  # of fewer the pieces would take as much room as they save


@dataclass(frozen=True)
class Places:
    """What a choice reads of a state: names of positions, and numbers of fields, see arrays.FIELDS.

    Attributes:
        slots: (position, field, neighbour) each.
        labels: (position, field) each.
        pairs: (position, position) each.
    """

    slots: Sequence[tuple[str, int, int]]
    labels: Sequence[tuple[str, int]] = ()
    pairs: Sequence[tuple[str, str]] = ()

    def numbers(self, name: str, columns: int) -> Array:
        rows = [
            [POSITIONS.index(part) if isinstance(part, str) else part for part in row] for row in getattr(self, name)
        ]
        return np.array(rows, np.int32).reshape(-1, columns)


@dataclass
class Quantised:
    """The integers and what rounding cost.

    Attributes:
        arrays: as Encoder takes them.
        tags: names of the tags in their order.
        scales: integer scores per unit of the float scores, for moves (arcs have the same), labels and tags.{name}.
        report: per kind of score, differences from the floats in their unit (`mean`, `max`), and `agreement`, how often
            both think the same output best.
    """

    arrays: dict[str, Array]
    tags: list[str]
    scales: dict[str, float] = field(default_factory=dict)
    report: dict[str, dict[str, float]] = field(default_factory=dict)


def quantised(floats: Floats, dilations: Sequence[int], places: Mapping[str, Places], sample: Sample) -> Quantised:
    """Turn a network into integers and compare both on the sample.

    Args:
        floats: by name, see fastparse/encoder/floats.py.
        places: of the choices that the network has.
        sample: a few thousand words of training data with states met in parsing them.
    """
    for name, array in floats.items():
        if not np.isfinite(array).all():
            raise Error(
                f"{name!r} has values that are not finite: the training has diverged; try a lower learning rate"
            )
    found = activations(floats, tuple(dilations), sample)
    result = Quantised({}, tag_names(floats))
    arcs = _padded(floats["arcs.head"], 0, 16).shape[0] if "arcs.head" in floats else 0
    pieces, width = floats["input.weights"].shape[:2]
    shape = [VERSION, width, pieces, len(found.segments), len(dilations), arcs, len(result.tags)]
    result.arrays["shape"] = np.array(shape, np.int32)
    scale = _quantise_layers(floats, tuple(dilations), found, result.arrays)
    for choice in CHOICES:
        if choice in places:
            _quantise_choice(floats, choice, places[choice], scale, found.hidden[choice], result)
    if arcs:
        _quantise_arcs(floats, scale, found, result)
    for tag, name in enumerate(result.tags):
        weights, step = _rounded_weights(floats[f"tags.{name}.weights"] / scale)
        result.arrays |= {
            f"tags.{tag}.weights": weights,
            f"tags.{tag}.bias": _bias(floats[f"tags.{name}.bias"] * step),
            f"tags.{tag}.scale": np.array([step], np.float32),
        }
        result.scales[f"tags.{name}"] = step
    result.arrays = stored(result.arrays)
    checked(result.arrays, "the quantised network")
    _compare(found, sample, result)
    return result


def in_pieces(arrays: Mapping[str, Array], counts: Sequence[Array]) -> dict[str, Array]:
    """An encoder's arrays with large tables of embeddings in a quarter of their bytes, see `fastparse.encoder.packing`.

    Args:
        arrays: as `Quantised` has them.
        counts: how often training reads the rows of each table.
    """
    found = dict(arrays)
    for s, read in enumerate(counts):
        name = f"segments.{s}"
        if name in found and len(found[name]) >= _ROWS_IN_PIECES:
            codes, pieces = packed(found.pop(name).view(np.int8), read, _PIECE)
            found |= stored({f"{name}.pieces": pieces}) | {f"{name}.codes": codes}
    return found


def _range_of(values: Array, limit: float) -> float:
    """Steps per unit for values rounded to +-limit, such that their squared error is least."""
    largest = float(np.abs(values).max()) if values.size else 0.0
    if largest == 0.0:
        return 1.0
    candidates = [limit / (largest * part) for part in _RANGES]
    return min(candidates, key=lambda scale: _error(values, scale, limit))


def _error(values: Array, scale: float, limit: float) -> float:
    return float(np.square(np.clip(np.rint(values * scale), -limit, limit) / scale - values).sum())


def _floor_log2(x: float) -> int:
    """The largest n with 2**n <= x."""
    return math.frexp(x)[1] - 1


def _rounded(values: Array, scale: float, limit: int, dtype: type = np.int8) -> Array:
    return np.clip(np.rint(values * scale), -limit, limit).astype(dtype)


def _rounded_weights(values: Array) -> tuple[Array, float]:
    scale = _range_of(values, _WEIGHT)
    return _rounded(values, scale, _WEIGHT), scale


def _bias(values: Array) -> Array:
    return _rounded(values, 1.0, _MOST_BIAS, np.int32)


def _padded(array: Array, axis: int, unit: int) -> Array:
    """With zeros up to a multiple of a unit."""
    missing = -array.shape[axis] % unit
    return np.pad(array, [(0, missing if axis == at else 0) for at in range(array.ndim)])


def _quantise_layers(floats: Floats, dilations: tuple[int, ...], found: Activations, arrays: dict[str, Array]) -> float:
    """Embeddings and layers; returns bytes per unit of the last layer's values."""
    per_input, shifts = [], []
    for s, sums in enumerate(found.segments):
        table = _padded(np.asarray(floats[f"embeddings.{s}"]), 1, 16)
        scale = _range_of(sums, _WEIGHT)
        largest = max(float(np.abs(table).max(initial=0.0)) * scale, 1e-9)
        shift = int(np.clip(_floor_log2(127 / largest), 0, 7))
        arrays[f"segments.{s}"] = _rounded(table, scale * 2**shift, 127)
        shifts.append(shift)
        per_input.append(np.full(sums.shape[1], scale))
    arrays["segments.shifts"] = np.array(shifts, np.int32)
    arrays["layers.dilations"] = np.array(dilations, np.int32)
    layer_shifts, epsilons, scales = [], [], []
    scale = 1.0
    for layer in range(len(dilations) + 1):
        name = f"layers.{layer - 1}" if layer else "input"
        weights = floats[f"{name}.weights"] / (scale if layer else np.concatenate(per_input))
        integers, step = _rounded_weights(weights)
        largest = float(np.abs(found.sums[layer]).max()) * step * _HEADROOM
        shift = int(np.clip(-_floor_log2(_NORM_LIMIT / max(largest, 1.0)), 0, 20))
        arrays[f"{name}.weights"] = integers if layer else _with_gaps(integers, [len(part) for part in per_input])
        arrays[f"{name}.bias"] = _bias(floats[f"{name}.bias"] * step)
        arrays[f"{name}.norm"] = np.stack([floats[f"{name}.gain"], floats[f"{name}.offset"]]).astype(np.float32)
        scale = _range_of(found.values[layer], _WEIGHT)
        layer_shifts.append(shift)
        epsilons.append(max(EPSILON * (step / 2**shift) * (step / 2**shift), 2.0**-29))
        scales.append(scale)
    arrays["layers.shifts"] = np.array(layer_shifts, np.int32)
    arrays["layers.scales"] = np.array([epsilons, scales], np.float32)
    return float(arrays["layers.scales"][1, -1])


def _with_gaps(weights: Array, widths: Sequence[int]) -> Array:
    """Weights of the inputs of segments whose widths were rounded up to a multiple of 16."""
    ends = np.cumsum(widths)
    parts = [_padded(weights[..., end - size : end], 2, 16) for end, size in zip(ends, widths, strict=True)]
    return np.concatenate(parts, axis=2)


def _quantise_choice(
    floats: Floats, choice: str, places: Places, scale: float, hidden: Array, result: Quantised
) -> None:
    arrays = result.arrays
    # What a hidden value is in the mean goes into the biases before and after it: the bytes are for what differs.
    center = hidden.mean(axis=0) if len(hidden) else np.zeros(hidden.shape[1])
    hidden = hidden - center
    moved = {
        "bias": floats[f"{choice}.bias"] - center,
        "output_bias": floats[f"{choice}.output_bias"] + (floats[f"{choice}.weights"] * center).sum(axis=1),
    }
    slots = _padded(floats[f"{choice}.slots"], 2, 32)
    weights = slots.reshape(len(slots), 2 * slots.shape[2], -1) / scale
    shift, unit, per_byte = _row_unit(weights, hidden)
    limit = row_limit(len(places.slots) + len(places.labels) + len(places.pairs) + 1, _BYTE_SHIFT)
    none = {"labels": np.zeros((0, 1, *slots.shape[1:3])), "distances": np.zeros((0, BUCKETS, *slots.shape[1:3]))}

    def rows(name: str) -> Array:
        values = np.asarray(moved.get(name, floats.get(f"{choice}.{name}", none.get(name))))
        values = _padded(values, values.ndim - 1, 32)
        return _rounded(values.reshape(*values.shape[:-2], 2 * values.shape[-1]), unit, limit, np.int16)

    outputs = _padded(floats[f"{choice}.weights"], 1, 32)
    integers, step = _rounded_weights(outputs / per_byte)
    result.scales[choice] = step
    arrays |= {
        f"{choice}.scale": np.array([step], np.float32),
        f"{choice}.shifts": np.array([shift, _BYTE_SHIFT], np.int32),
        f"{choice}.slots": places.numbers("slots", 3),
        f"{choice}.label_places": places.numbers("labels", 2),
        f"{choice}.distance_pairs": places.numbers("pairs", 2),
        f"{choice}.slot_weights": _rounded(weights, unit * 2**shift, _WEIGHT),
        f"{choice}.none": rows("none"),
        f"{choice}.label_rows": rows("labels"),
        f"{choice}.distance_rows": rows("distances"),
        f"{choice}.hidden_bias": rows("bias"),
        f"{choice}.weights": integers,
        f"{choice}.bias": _bias(moved["output_bias"] * step),
    }


def _row_unit(weights: Array, hidden: Array) -> tuple[int, float, float]:
    """Shift of the slots, steps of their rows per unit, and bytes per unit of the hidden layer.

    All three hang together: a byte is 2**_BYTE_SHIFT steps of a row, a step 2**shift products. The bytes' scale is
    moved a little so that the weights' scale, with some shift, is a good one too.
    """
    best_bytes, best_weights = _range_of(hidden, _WEIGHT), _range_of(weights, _WEIGHT)
    least = max(_error(hidden, best_bytes, _WEIGHT), 1e-12), max(_error(weights, best_weights, _WEIGHT), 1e-12)
    options = []
    for step in _STEPS:
        per_byte = best_bytes * step
        unit = per_byte * 2**_BYTE_SHIFT
        exact = _floor_log2(best_weights / unit), -_floor_log2(unit / best_weights)
        for shift in {int(np.clip(found, 0, 20)) for found in exact}:
            cost = _error(hidden, per_byte, _WEIGHT) / least[0] + _error(weights, unit * 2**shift, _WEIGHT) / least[1]
            options.append((cost, shift, unit, per_byte))
    return min(options)[1:]


def _quantise_arcs(floats: Floats, scale: float, found: Activations, result: Quantised) -> None:
    assert found.arcs is not None
    weights, biases, shifts, units = [], [], [], 1.0
    for end, vectors in zip(("head", "dependent"), found.arcs, strict=True):
        per_value = _range_of(vectors, _WEIGHT)
        own = floats[f"arcs.{end}"] / scale
        shift = int(np.clip(_floor_log2(_range_of(own, _WEIGHT) / per_value * math.sqrt(2)), 0, 20))
        weights.append(_padded(_rounded(own, per_value * 2**shift, _WEIGHT), 0, 16))
        biases.append(_padded(_bias(floats[f"arcs.{end}_bias"] * per_value * 2**shift), 0, 16))
        shifts.append(shift)
        units *= per_value
    wanted = result.scales["moves"] / units
    last = int(np.clip(_floor_log2(1023 / wanted), 0, 29))
    result.arrays["arcs.weights"], result.arrays["arcs.bias"] = np.stack(weights), np.stack(biases)
    result.arrays["arcs.shifts"] = np.array([*shifts, min(round(wanted * 2**last), 1023), last], np.int32)


def _compare(found: Activations, sample: Sample, result: Quantised) -> None:
    scratch = Scratch(Encoder(result.arrays))
    scratch.encode(sample.ids, sample.ends, sample.lengths)
    for name, expected in found.scores.items():
        scale = result.scales["moves" if name == "arcs" else name]
        integers = _integer_scores(scratch, name, sample, result)
        differences = np.abs(integers / scale - expected)
        own = {"mean": float(differences.mean()), "max": float(differences.max())}
        if expected.ndim == 2:
            own["agreement"] = float((integers.argmax(axis=1) == expected.argmax(axis=1)).mean())
        result.report[name] = own


def _integer_scores(scratch: Scratch, name: str, sample: Sample, result: Quantised) -> Array:
    if name in CHOICES:
        states = sample.states[name]
        return row_scores(scratch, name, states.words, states.labels, states.buckets)
    if name == "arcs":
        assert sample.arcs is not None
        return arc_scores(scratch, 0, int(np.sum(sample.lengths)) - 1, sample.arcs[:, 0], sample.arcs[:, 1])
    tag = f"tags.{result.tags.index(name.removeprefix('tags.'))}"
    weights = result.arrays[f"{tag}.weights"].view(np.int8).astype(np.int64)
    return (scratch.vectors().astype(np.int64) - 64) @ weights.T + result.arrays[f"{tag}.bias"]
