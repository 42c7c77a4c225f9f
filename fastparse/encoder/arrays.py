"""The integer arrays of an encoder: names, shapes and ranges, as model files hold them.

Names, with S segments of inputs, L layers, width W, P pieces of a maxout, D inputs (widths of segments together):

    shape                     i4 [7]          version, W, P, S, L, dimension of arc vectors (0: none), number of tags
    segments.shifts           i4 [S]
    segments.{s}              u1 [rows, d]    embeddings, int8; d a multiple of 16; or, in their place,
    segments.{s}.codes        u1 [rows, d/g]  which piece of g numbers (2, 4 or 8) stands at each place of a row
    segments.{s}.pieces       u1 [d/g, 256, g]  the pieces of each place, int8; see fastparse/encoder/packing.pyx
    layers.dilations          i4 [L]
    layers.shifts             i4 [L + 1]      of the input layer, then of the others
    layers.scales             u4 [2, L + 1]   float32: epsilon of the norm; from values to bytes
    input.weights             u1 [P, W, D]    int8 within +-63
    input.bias                i4 [P, W]
    input.norm                u4 [2, W]       float32: gain, offset
    layers.{l}.weights        u1 [P, W, 3, W]; .bias and .norm as of the input

and, where the encoder scores them, for c in moves, labels (a choice), with K slots, J places whose label is read,
E distances, hidden size H, M outputs:

    {c}.scale                 u4 [1]          float32: scores per unit of log-odds
    {c}.shifts                i4 [2]          of the slots; from sums to bytes
    {c}.slots                 i4 [K, 3]       position, field, neighbour; see FIELDS
    {c}.label_places          i4 [J, 2]       position, field
    {c}.distance_pairs        i4 [E, 2]       positions
    {c}.slot_weights          u1 [K, 2 H, W]  int8 within +-63
    {c}.none                  u2 [K, 2 H]     int16: rows of slots without a word
    {c}.label_rows            u2 [J, labels + 1, 2 H]   row 0: no label
    {c}.distance_rows         u2 [E, 17, 2 H]
    {c}.hidden_bias           u2 [2 H]
    {c}.weights, {c}.bias     u1 [M, H], i4 [M]

    arcs.weights, arcs.bias   u1 [2, A, W], i4 [2, A]   heads, dependents; only with arc vectors
    arcs.shifts               i4 [4]          of heads, of dependents; factor and shift from products to scores
    tags.{t}.weights, .bias   u1 [n, W], i4 [n]; .scale as of a choice
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fastparse.errors import ModelFormatError

__all__ = [
    "BUCKETS",
    "CHOICES",
    "FIELDS",
    "PIECES",
    "POSITIONS",
    "SIZES_OF_PIECES",
    "VERSION",
    "checked",
    "row_limit",
    "stored",
]

Array = np.ndarray[Any, Any]

VERSION = 1
CHOICES = ("moves", "labels")
POSITIONS = ("S0", "S1", "S2", "B0", "B1", "B2", "B3", "R1", "R2", "T0", "H", "D", "R3")
FIELDS = ("", "head", "l1", "l2", "r1", "r2")  # the word of a position itself, its head, its outermost children
BUCKETS = 17
PIECES = 256  # of each place in a row of embeddings that is stored in pieces
SIZES_OF_PIECES = (2, 4, 8)

_KINDS: dict[Any, Any] = {np.uint8: np.int8, np.uint16: np.int16, np.uint32: np.float32, np.int32: np.int32}
_WEIGHT = 63
_BIAS = 2**26
_SCALES = (2.0**-20, 2.0**30)
_MOST_MOVES = 32
_MOST_INPUTS = 1024
_MOST_REACH = 1024  # sum of the dilations
_ROUNDED = 2.0**21  # floats below this are rounded exactly
_NORMED = 17.0  # above the square root of the largest width, hence above any normed value


def row_limit(n_rows: int, shift: int) -> int:
    """How large the int16 of a row may be so that the sum of `n_rows` rows, 64 and the rounding stays below 2**15."""
    return (32767 - (64 << shift) - ((1 << shift) >> 1)) // max(n_rows, 1)


def stored(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Arrays as files hold them: int8, int16 and float32 as unsigned integers of their size."""
    stores = {np.dtype(kind): np.dtype(store) for store, kind in _KINDS.items()}
    return {name: np.ascontiguousarray(array).view(stores[array.dtype]) for name, array in arrays.items()}


class _Reader:
    """Takes arrays out one by one, each with the type, shape and range it must have."""

    def __init__(self, arrays: Mapping[str, Array], where: str) -> None:
        self.arrays, self.where = dict(arrays), where
        self.taken: dict[str, Array] = {}

    def fault(self, what: str) -> ModelFormatError:
        return ModelFormatError(
            f"{self.where}: this is not a usable encoder: {what}. Copy the file again from where it was trained or "
            "downloaded."
        )

    def require(self, condition: object, what: str) -> None:
        if not condition:
            raise self.fault(what)

    def take(self, name: str, store: type, shape: tuple[int | None, ...], low: float, high: float) -> Array:
        """An array in its own type; None in a shape is any length, `low` and `high` are the range of its values."""
        array = self.arrays.pop(name, None)
        self.require(array is not None, f"the array {name!r} is missing")
        assert array is not None
        fits = len(array.shape) == len(shape) and all(
            wanted is None or wanted == found for wanted, found in zip(shape, array.shape, strict=True)
        )
        self.require(
            array.dtype == np.dtype(store) and fits,
            f"the array {name!r} is {array.dtype} of shape {list(array.shape)}, not {np.dtype(store)} of "
            f"{['any' if size is None else size for size in shape]}",
        )
        typed = np.ascontiguousarray(array, dtype=store).view(_KINDS[store])
        if typed.size:
            least, most = typed.min(), typed.max()
            # Written so that a NaN is outside.
            self.require(
                least >= low and most <= high,
                f"values of {name!r} lie between {least} and {most}, outside {low:g} to {high:g}",
            )
        self.taken[name] = typed
        return np.asarray(typed)


def checked(arrays: Mapping[str, Array], where: str) -> dict[str, Array]:
    """The arrays in their own types (int8, int16, float32), after checking that compiled code can use them.

    Args:
        arrays: as `stored` gives them; nothing but an encoder.
        where: the file, for messages.

    Raises:
        ModelFormatError: when something is missing, superfluous, or of the wrong type, shape or range.
    """
    reader = _Reader(arrays, where)
    shape = reader.take("shape", np.int32, (7,), 0, 2**20).tolist()
    version, width, pieces, n_segments, n_layers, arcs, n_tags = shape
    reader.require(version == VERSION, f"it has version {version}, not {VERSION}")
    reader.require(16 <= width <= 256 and width % 16 == 0, f"its width is {width}, not a multiple of 16 up to 256")
    reader.require(pieces in (2, 3), f"its maxout has {pieces} pieces, not 2 or 3")
    reader.require(1 <= n_segments <= 16, f"it has {n_segments} segments, not 1 to 16")
    reader.require(n_layers <= 16, f"it has {n_layers} layers, more than 16")
    reader.require(
        arcs <= 256 and arcs % 16 == 0, f"its arc vectors have {arcs} values, not a multiple of 16 up to 256"
    )
    reader.require(n_tags <= 32, f"it has {n_tags} tags, more than 32")
    _check_layers(reader, width, pieces, n_segments, n_layers)
    for choice in CHOICES:
        if f"{choice}.shifts" in reader.arrays:
            _check_choice(reader, choice, width)
    if arcs:
        reader.take("arcs.weights", np.uint8, (2, arcs, width), -_WEIGHT, _WEIGHT)
        reader.take("arcs.bias", np.int32, (2, arcs), -_BIAS, _BIAS)
        shifts = reader.take("arcs.shifts", np.int32, (4,), 0, 1023)
        reader.require(max(shifts[:2]) <= 20 and shifts[3] <= 29, "arcs.shifts are too large")
    for tag in range(n_tags):
        n = len(reader.take(f"tags.{tag}.weights", np.uint8, (None, width), -_WEIGHT, _WEIGHT))
        reader.require(1 <= n <= 2**20, f"tags.{tag} has {n} values, not 1 to {2**20}")
        reader.take(f"tags.{tag}.bias", np.int32, (n,), -_BIAS, _BIAS)
        reader.take(f"tags.{tag}.scale", np.uint32, (1,), *_SCALES)
    reader.require(not reader.arrays, f"it has arrays that no encoder has: {', '.join(sorted(reader.arrays))}")
    return reader.taken


def _check_layers(reader: _Reader, width: int, pieces: int, n_segments: int, n_layers: int) -> None:
    reader.take("segments.shifts", np.int32, (n_segments,), 0, 7)
    inputs = 0
    for segment in range(n_segments):
        rows, size = _rows_of_segment(reader, f"segments.{segment}")
        reader.require(
            rows < 2**31 and 16 <= size <= _MOST_INPUTS and size % 16 == 0,
            f"segments.{segment} has {rows} rows of {size} values, not of a multiple of 16 up to {_MOST_INPUTS}",
        )
        inputs += size
    reader.require(inputs <= _MOST_INPUTS, f"its segments have {inputs} values together, more than {_MOST_INPUTS}")
    dilations = reader.take("layers.dilations", np.int32, (n_layers,), 1, _MOST_REACH)
    reader.require(dilations.sum() <= _MOST_REACH, f"its dilations are {dilations.sum()} together, over {_MOST_REACH}")
    reader.take("layers.shifts", np.int32, (n_layers + 1,), 0, 20)
    scales = reader.take("layers.scales", np.uint32, (2, n_layers + 1), 2.0**-30, 2.0**40)
    largest = 0.0
    for layer in range(n_layers + 1):
        name = f"layers.{layer - 1}" if layer else "input"
        inner = (3, width) if layer else (inputs,)
        reader.take(f"{name}.weights", np.uint8, (pieces, width, *inner), -_WEIGHT, _WEIGHT)
        reader.take(f"{name}.bias", np.int32, (pieces, width), -_BIAS, _BIAS)
        gain, offset = reader.take(f"{name}.norm", np.uint32, (2, width), -1e6, 1e6)
        largest += _NORMED * float(np.abs(gain).max()) + float(np.abs(offset).max())
        reader.require(
            largest * float(scales[1, layer]) < _ROUNDED,
            f"values of {name} may reach {largest:g}, too much for their scale {scales[1, layer]:g}",
        )


def _rows_of_segment(reader: _Reader, name: str) -> tuple[int, int]:
    """How many rows a table has, and how many numbers a row, whole or in pieces."""
    if f"{name}.codes" not in reader.arrays:
        rows, size = reader.take(name, np.uint8, (None, None), -128, 127).shape
        return rows, size
    rows, places = reader.take(f"{name}.codes", np.uint8, (None, None), -128, 127).shape
    size = reader.take(f"{name}.pieces", np.uint8, (places, PIECES, None), -128, 127).shape[2]
    reader.require(size in SIZES_OF_PIECES, f"{name}.pieces have {size} numbers, not 2, 4 or 8")
    return rows, places * size


def _check_choice(reader: _Reader, choice: str, width: int) -> None:
    reader.take(f"{choice}.scale", np.uint32, (1,), *_SCALES)
    shifts = reader.take(f"{choice}.shifts", np.int32, (2,), 0, 20)
    reader.require(shifts[1] <= 8, f"{choice}.shifts has {shifts[1]} for bytes, more than 8")
    counts = []
    for name, columns, most in (("slots", 3, 64), ("label_places", 2, 64), ("distance_pairs", 2, 16)):
        places = reader.take(f"{choice}.{name}", np.int32, (None, columns), -128, 127)
        reader.require(len(places) <= most, f"{choice}.{name} has {len(places)} rows, more than {most}")
        counts.append(len(places))
        positions = places if name == "distance_pairs" else places[:, :1]
        in_range = ((positions >= 0) & (positions < len(POSITIONS))).all()
        if name != "distance_pairs":
            lowest = 0 if name == "slots" else 1
            in_range &= ((places[:, 1] >= lowest) & (places[:, 1] < len(FIELDS))).all()
        reader.require(in_range, f"{choice}.{name} names a position or field that does not exist")
        if choice == "labels" and name != "distance_pairs":  # search keeps an answer for each two words
            reader.require(not places[:, 1].any(), f"labels.{name} reads more of an arc than its two words")
    n_slots, n_places, n_pairs = counts
    reader.require(n_slots > 0, f"{choice} has no slots")
    limit = row_limit(sum(counts) + 1, int(shifts[1]))
    reader.require(limit > 0, f"{choice} has too many rows to add up")
    row = len(reader.take(f"{choice}.hidden_bias", np.uint16, (None,), -limit, limit))
    reader.require(64 <= row <= 1024 and row % 64 == 0, f"{choice} has {row} hidden sums, not a multiple of 64 to 1024")
    reader.take(f"{choice}.slot_weights", np.uint8, (n_slots, row, width), -_WEIGHT, _WEIGHT)
    reader.take(f"{choice}.none", np.uint16, (n_slots, row), -limit, limit)
    labels = reader.take(f"{choice}.label_rows", np.uint16, (n_places, None, row), -limit, limit).shape[1]
    reader.require(1 <= labels <= 2**16, f"{choice}.label_rows has {labels} rows, not 1 to {2**16}")
    reader.take(f"{choice}.distance_rows", np.uint16, (n_pairs, BUCKETS, row), -limit, limit)
    outputs = len(reader.take(f"{choice}.weights", np.uint8, (None, row // 2), -_WEIGHT, _WEIGHT))
    most = _MOST_MOVES if choice == "moves" else 2**16
    reader.require(1 <= outputs <= most, f"{choice} has {outputs} outputs, not 1 to {most}")
    reader.take(f"{choice}.bias", np.int32, (outputs,), -_BIAS, _BIAS)
