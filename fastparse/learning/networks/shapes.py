"""The arrays of a network: their names, sizes and first values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from fastparse.learning.networks.states import N_BUCKETS

__all__ = ["Shape", "Start", "arrays_in", "first_numbers", "layout"]


@dataclass(frozen=True)
class Shape:
    """Sizes of a network.

    Attributes:
        width: numbers per word.
        pieces: of maxout, in the input layer and the convolutions.
        distances: of the neighbours each convolution reads.
        form, affix, tag, feature: sizes of the embeddings.
        hidden: units of a state and of a label.
        rank: of the product of head and dependent in the score of a move that draws an arc; 0: none.
        heads: size of the vectors by which words choose among all words of the sentence the one that is their head:
            learnt beside the moves, for what it teaches the layers below, and never asked for again; 0: none.
        rows: per table of the inputs; groups of size 0 have none.
        moves, labels: of the parser; 0 moves: the network has none.
        places: names, labelled or not, in the order of the slots.
        pairs: of positions whose distance is read.
        outputs: classes of each further output (tags), read off the words.
    """

    width: int = 128
    pieces: int = 3
    distances: tuple[int, ...] = (1, 2, 4, 1)
    form: int = 96
    affix: int = 64
    tag: int = 40
    feature: int = 40
    hidden: int = 128
    rank: int = 0
    heads: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    moves: int = 0
    labels: int = 0
    places: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    outputs: dict[str, int] = field(default_factory=dict)

    @property
    def input(self) -> int:
        """Numbers per word before the first layer."""
        return sum(self.embedding(group) for group in self.rows)

    def embedding(self, group: str) -> int:
        """Size of a group's embeddings."""
        size: int = getattr(self, group)
        return size

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Shape:
        tuples = {key: tuple(found[key]) for key in ("distances", "places")}
        return cls(**{**found, **tuples, "pairs": tuple(map(tuple, found["pairs"]))})


@dataclass(frozen=True)
class Start:
    """An array's size and first values: normal or uniform numbers of this scale, or all the same."""

    size: tuple[int, ...]
    kind: str
    scale: float


def layout(shape: Shape) -> Iterator[tuple[str, Start]]:
    """All arrays of a network in their order. Rows of weights belong to outputs; those of piece p of a maxout of width
    w are p * w, p * w + 1, ..."""
    w, p, h = shape.width, shape.pieces, shape.hidden
    for group, rows in shape.rows.items():
        yield group, Start((rows, shape.embedding(group)), "normal", 0.3 if group == "form" else 0.15)
    for name, n_inputs in (("input", shape.input), *((f"layer{i}", 3 * w) for i in range(len(shape.distances)))):
        yield from _dense(name, p * w, n_inputs)
        yield f"{name}.gain", Start((w,), "constant", 1.0)
        yield f"{name}.shift", Start((w,), "constant", 0.0)
    if shape.moves:
        slots = len(shape.places) + 2
        yield "slots.weight", Start((slots * 2 * h, w), "uniform", w**-0.5)
        yield "moves.absent", Start((slots, 2 * h), "constant", 0.0)
        yield "moves.labels", Start((len(shape.places), shape.labels + 1, 2 * h), "normal", 0.05)
        yield "moves.distances", Start((len(shape.pairs), N_BUCKETS, 2 * h), "normal", 0.05)
        yield "moves.bias", Start((2 * h,), "constant", 0.0)
        yield "moves.weight", Start((shape.moves, h), "uniform", h**-0.5)
        yield "moves.offset", Start((shape.moves,), "constant", 0.0)
        if shape.rank:
            yield "arcs.weight", Start((2 * shape.rank, w), "uniform", 0.25 * w**-0.5)
        if shape.heads:
            yield "heads.weight", Start((2 * shape.heads, w), "uniform", 0.25 * w**-0.5)
            yield "heads.bias", Start((2 * shape.heads,), "constant", 0.0)
        yield "labels.distances", Start((N_BUCKETS, 2 * h), "normal", 0.05)
        yield "labels.bias", Start((2 * h,), "constant", 0.0)
        yield "labels.weight", Start((shape.labels, h), "uniform", h**-0.5)
        yield "labels.offset", Start((shape.labels,), "constant", 0.0)
    for name, classes in shape.outputs.items():
        yield f"output.{name}.weight", Start((classes, w), "uniform", w**-0.5)
        yield f"output.{name}.offset", Start((classes,), "constant", 0.0)


def _dense(name: str, n_outputs: int, n_inputs: int) -> Iterator[tuple[str, Start]]:
    yield f"{name}.weight", Start((n_outputs, n_inputs), "uniform", n_inputs**-0.5)
    yield f"{name}.bias", Start((n_outputs,), "uniform", n_inputs**-0.5)


def arrays_in(shape: Shape, numbers: np.ndarray[Any, Any] | None = None) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays by name, as views of one row of float32 numbers; by default of new ones, all zero."""
    starts = dict(layout(shape))
    n = sum(int(np.prod(start.size)) for start in starts.values())
    numbers = np.zeros(n, np.float32) if numbers is None else numbers
    arrays, at = {}, 0
    for name, start in starts.items():
        size = int(np.prod(start.size))
        arrays[name] = numbers[at : at + size].reshape(start.size)
        at += size
    assert at == len(numbers), f"{len(numbers)} numbers for a network of {at}"
    return arrays


def first_numbers(shape: Shape, seed: int) -> np.ndarray[Any, Any]:
    """What a network starts from; row 0 of embeddings, which stands for nothing, is zero."""
    source = np.random.Generator(np.random.PCG64(seed))
    parts = []
    for name, start in layout(shape):
        if start.kind == "constant":
            part = np.full(start.size, start.scale, np.float32)
        elif start.kind == "normal":
            part = _normal(source, start.size) * np.float32(start.scale)
        else:
            part = (source.random(start.size, np.float32) * 2 - 1) * np.float32(start.scale)
        if name in shape.rows:
            part[0] = 0
        parts.append(part.ravel())
    return np.concatenate(parts)


_UNIFORM = 12  # numbers whose sum has a variance of 1


def _normal(source: np.random.Generator, size: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Numbers that are as good as normal; those of numpy depend on the mathematical library in places."""
    total = np.full(size, -_UNIFORM / 2, np.float32)
    for _ in range(_UNIFORM):
        total += source.random(size, np.float32)
    return total
