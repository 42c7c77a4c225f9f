"""Parsing the sentences of a treebank on several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.search.description import Description
    from fastparse.search.measuring import Work

__all__ = ["decode"]

_WORDS_AT_A_TIME = 500_000  # rows of attributes that are made at once
_RANGES_PER_THREAD = 4


def decode(
    description: Description, engine: Any, treebank: Treebank, beam: int, threads: int = 1, values: Any = None,
    work: Work | None = None,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:  # fmt: skip
    """Heads and label ids (places in `description.output_labels`) of all words.

    Args:
        engine: an Engine, or what parses like one.
        values: of the treebank, if they are made already.
        work: gets what each sentence took.
    """
    heads, labels = np.zeros(treebank.n_words, np.int32), np.zeros(treebank.n_words, np.int32)
    offsets = treebank.offsets
    first = 0
    while first < len(treebank):
        last, part = len(treebank), treebank
        if values is None and treebank.n_words > _WORDS_AT_A_TIME:
            enough = int(offsets[first]) + _WORDS_AT_A_TIME
            last = max(first + 1, int(np.searchsorted(offsets, enough, side="right")) - 1)
            part = treebank.select(range(first, last))
        words = slice(int(offsets[first]), int(offsets[last]))
        if part.n_words:
            rows = description.values(part) if values is None else values
            _decode(
                engine, rows, part.offsets, beam, threads, heads[words], labels[words], work and work.part(first, last)
            )  # fmt: skip
            description.restore(heads[words], labels[words], part.offsets)
        first = last
    return heads, labels


def _decode(
    engine: Any, values: Any, offsets: np.ndarray[Any, Any], beam: int, threads: int, heads: np.ndarray[Any, Any],
    labels: np.ndarray[Any, Any], work: Work | None,
) -> None:  # fmt: skip
    offsets = np.ascontiguousarray(offsets, np.int64)
    n = len(offsets) - 1
    transitions = np.zeros(n, np.int32) if work is None else work.transitions
    measured = {} if work is None else {"nanoseconds": work.nanoseconds, "by_move": work.by_move}
    if threads == 1 or n == 1:
        engine.parse(values, offsets, 0, n, beam, heads, labels, transitions, **measured)
        return
    n_ranges = threads * _RANGES_PER_THREAD
    shares = [int(offsets[n]) * k // n_ranges for k in range(1, n_ranges)]
    bounds = sorted({0, n, *np.searchsorted(offsets[:-1], shares).tolist()})
    with ThreadPoolExecutor(threads) as pool:
        waiting = [
            pool.submit(engine.parse, values, offsets, first, last, beam, heads, labels, transitions, **measured)
            for first, last in pairwise(bounds)
        ]
        for done in waiting:
            done.result()
