"""The byte arithmetic of encoders alone: words encoded and states scored per kernel and shape.

    python benchmarks/encoder.py [--shape 128,3,4 ...] [--kernel avx2 ...] [--hidden 128] [--slots 13] [--repeats 9]

Networks and sentences are random; sentences are of 18 words in the mean, in batches of --batch words. Per kernel and
shape (width, pieces of a maxout, layers):

  encode     words a second from ids to vectors of bytes, embeddings and all layers;
  slots      nanoseconds per word for the rows of all slots, moves and labels;
  state      nanoseconds per state for the scores of moves;
  arc        nanoseconds per arc for the scores of labels;
  in all     words a second with two states and an arc per word: reading, search and writing come on top;
  ratio      to the first kernel of the shape.

Processor time, not wall time; kernels take turns and the best of --repeats counts, so that other programs on the
machine disturb ratios little.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from fastparse.encoder.arrays import POSITIONS, stored
from fastparse.encoder.encoder import Encoder, kernels
from fastparse.encoder.inspection import project_all, scores
from fastparse.encoder.scratch import Scratch
from tests.encoder.networks import random_arrays

SEGMENTS = ((5000, 96), (6000, 64), (120, 48), (300, 48))  # forms, affixes and shapes, tags, features
IDS = (1, 9, 2, 2)
SHAPES = ("64,2,3", "96,2,3", "128,2,4", "128,3,4", "192,3,4")
LABELS = 50


def words(total: int) -> tuple[list[int], Any, Any]:
    """Lengths of sentences, ids (few rows are frequent, most are rare) and their ends."""
    random = np.random.default_rng(1)
    lengths: list[int] = []
    while sum(lengths) < total:
        lengths.append(2 + min(int(random.exponential(17)), 100))
    columns = []
    for (rows, _), count in zip(SEGMENTS, IDS, strict=True):
        ranks = np.exp(random.random((sum(lengths), count)) * np.log(rows)).astype(np.int64) - 1
        columns.append(ranks * 2654435761 % rows)
    ends = np.cumsum(np.tile(IDS, (sum(lengths), 1)).reshape(-1)).reshape(-1, len(IDS))
    return lengths, np.concatenate(columns, axis=1).reshape(-1).astype(np.int32), ends.astype(np.int32)


def batches(lengths: list[int], ids: Any, ends: Any, size: int) -> list[tuple[Any, Any, list[int]]]:
    """Whole sentences, up to `size` words together, at least one."""
    found, at, row = [], 0, 0
    while at < len(lengths):
        own = [lengths[at]]
        while at + len(own) < len(lengths) and sum(own) + lengths[at + len(own)] <= size:
            own.append(lengths[at + len(own)])
        rows = slice(row, row + sum(own))
        first = ends[row - 1, -1] if row else 0
        found.append((ids[first : ends[rows][-1, -1]], ends[rows] - first, own))
        at, row = at + len(own), rows.stop
    return found


def states_of(n: int, count: int) -> Any:
    """States of a sentence whose words are close to one another, as in parsing."""
    random = np.random.default_rng(2)
    states = np.full((count, len(POSITIONS), 11), -1, np.int32)
    fronts = np.arange(count) % n
    states[:, :, :6] = np.clip(fronts[:, None, None] + random.integers(-6, 4, (count, len(POSITIONS), 6)), -1, n)
    states[:, :, 6:] = random.integers(0, LABELS, (count, len(POSITIONS), 5))
    return states


class Contender:
    """One kernel with one network; the best times so far."""

    def __init__(self, arrays: Any, kernel: str, parts: list[Any]) -> None:
        self.scratch = Scratch(Encoder(arrays, kernel=kernel))
        self.kernel, self.parts = kernel, parts
        self.best: dict[str, float] = {}
        self.n_words = sum(sum(lengths) for _, _, lengths in parts)

    def timed(self, name: str, units: int, work: Any) -> None:
        begin = time.thread_time()
        work()
        self.best[name] = min(self.best.get(name, 1e9), (time.thread_time() - begin) / units)

    def run(self) -> None:
        def encode() -> None:
            for part in self.parts:
                self.scratch.encode(*part)

        def encode_and_project() -> None:
            for part in self.parts:
                self.scratch.encode(*part)
                project_all(self.scratch)

        self.timed("encode", self.n_words, encode)
        self.timed("both", self.n_words, encode_and_project)
        n = max(self.parts[-1][2]) - 1
        for choice in ("moves", "labels"):
            states = states_of(n, 200)
            self.timed(choice, 200 * 20, lambda c=choice, s=states: scores(self.scratch, c, 0, n, s, repeats=20))

    def row(self) -> tuple[float, ...]:
        slots = max(self.best["both"] - self.best["encode"], 0.0)
        whole = self.best["both"] + 2 * self.best["moves"] + self.best["labels"]
        return 1 / self.best["encode"], slots * 1e9, self.best["moves"] * 1e9, self.best["labels"] * 1e9, 1 / whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", nargs="+", default=SHAPES)
    parser.add_argument("--kernel", nargs="+", default=kernels(), choices=kernels())
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--slots", type=int, default=13)
    parser.add_argument("--moves", type=int, default=4)
    parser.add_argument("--words", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    parts = batches(*words(options.words), options.batch)
    print(f"{'shape':>8}  {'kernel':<11}{'encode':>11}{'slots':>8}{'state':>8}{'arc':>8}{'in all':>11}{'ratio':>8}")
    for shape in options.shape:
        width, pieces, layers = (int(part) for part in shape.split(","))
        arrays = random_arrays(
            1, width=width, pieces=pieces, dilations=(1, 2, 4, 1, 1, 1)[:layers], hidden=options.hidden,
            label_hidden=options.hidden,
            counts=(options.slots, 7, 1), labels=LABELS, moves=options.moves, arcs=0, tags=(),
            segments=SEGMENTS,
        )  # fmt: skip
        contenders = [Contender(stored(arrays), kernel, parts) for kernel in options.kernel]
        for _ in range(options.repeats):
            for contender in contenders:
                contender.run()
        for contender in contenders:
            speed, slots, state, arc, whole = contender.row()
            ratio = whole / contenders[0].row()[-1]
            print(
                f"{shape:>8}  {contender.kernel:<11}{speed:>11,.0f}{slots:>8.0f}{state:>8.1f}{arc:>8.1f}"
                f"{whole:>11,.0f}{ratio:>8.2f}"
            )


if __name__ == "__main__":
    main()
