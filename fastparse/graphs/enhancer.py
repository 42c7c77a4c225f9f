"""Gives sentences with trees their enhanced graphs."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error
from fastparse.graphs.labels import SAME, Slots
from fastparse.model.description import Description, description_from
from fastparse.search.kinds import GraphSearch

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.search.engine import GraphEngine

__all__ = ["TOGETHER", "Enhancer"]

TOGETHER = "|"  # between labels of arcs between the same two words, which are learnt as one
_WORDS_AT_A_TIME = 200_000
_WORDS_FOR_THREADS = 2000
_RANGES_PER_THREAD = 4


class Enhancer:
    """Draws the arcs of a graph beside the tree of a sentence. It never changes, so any number of threads may use one.

    Attributes:
        kind: its search, with the description it was made from.
        system: its transition system.
    """

    def __init__(self, kind: GraphSearch, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Raises Error if search and weights cannot be used together."""
        self.kind = kind
        self._tables = kind.weights(arrays)
        self._engine: GraphEngine = kind.engine(self._tables)  # type: ignore[assignment]
        patterns = list(kind.description.labels)
        self._labels = [pattern.split(TOGETHER) for pattern in patterns]
        self._same = patterns.index(SAME) if SAME in patterns else -1

    @property
    def system(self) -> Any:
        return self.kind.system

    @property
    def description(self) -> Description:
        found: Description = self.kind.description
        return found

    def to_dict(self) -> dict[str, Any]:
        """What a file says of it, besides its arrays."""
        return {"description": self.description.to_dict(), "deprels": list(self.kind.deprels)}

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        return self.kind.arrays(self._tables)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> Enhancer:
        """The inverse of both, for values from outside."""
        description, deprels = description_from(found.get("description")), found.get("deprels")
        if not isinstance(description, Description) or not (
            isinstance(deprels, list)
            and all(isinstance(label, str) for label in deprels)
            and len(deprels) < 1 << 16 - 2
        ):
            raise Error("it names no search for graphs, or no labels of trees")
        return cls(GraphSearch(description, deprels), arrays)

    def graphs(
        self, treebank: Treebank, threads: int = 1, beam: int | None = None
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The arcs of each sentence, in number, and heads, dependents and ids of patterns: see `GraphEngine.graphs`."""
        size = self.description.beam if beam is None else beam
        offsets, n = np.asarray(treebank.offsets), len(treebank)
        if not len(treebank.heads):
            return np.zeros(n, np.int64), np.zeros((0, 3), np.int32)
        values = self.kind.values(treebank)
        parts = 1
        if threads > 1 and len(treebank.heads) >= _WORDS_FOR_THREADS:
            parts = threads * _RANGES_PER_THREAD
        parts = max(parts, len(treebank.heads) // _WORDS_AT_A_TIME)
        shares = [len(treebank.heads) * k // parts for k in range(1, parts)]
        ranges = list(pairwise(sorted({0, n, *np.searchsorted(offsets[:-1], shares).tolist()})))

        def run(bounds: tuple[int, int]) -> Any:
            return self._engine.graphs(values, offsets, *bounds, size, self.description.threshold)

        if threads > 1 and len(ranges) > 1:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(run, ranges))
        else:
            found = [run(bounds) for bounds in ranges]
        return np.concatenate([counts for counts, _ in found]), np.concatenate([arcs for _, arcs in found])

    def deps(
        self, treebank: Treebank, threads: int = 1, beam: int | None = None
    ) -> tuple[np.ndarray[Any, Any], list[str]]:
        """The column DEPS: an id per word, and the strings by id. A word without an arc has that of the tree."""
        counts, arcs = self.graphs(treebank, threads, beam)
        n, offsets = treebank.n_words, np.asarray(treebank.offsets)
        words = np.repeat(offsets[:-1], counts) + arcs[:, 1] - 1
        heads, deprels = np.array(treebank.heads), np.array(treebank.deprel_ids)
        labels = [*treebank.deprel_table, "_"]
        # Most words have one arc with the label that they have in the tree.
        several = np.bincount(words, minlength=n) > 1
        plain = (arcs[:, 2] == self._same) & ~several[words]
        heads[words[plain]] = arcs[plain, 0]
        found, ids = np.unique(heads.astype(np.int64) * len(labels) + deprels % len(labels), return_inverse=True)
        pairs = (divmod(pair, len(labels)) for pair in found.tolist())
        number = {f"{head}:{labels[label]}" if head >= 0 else "_": i for i, (head, label) in enumerate(pairs)}
        ids = ids.reshape(-1).astype(np.int32)
        slots = Slots(treebank)
        cells: dict[int, list[str]] = {}
        rest = (column[~plain].tolist() for column in (words, arcs[:, 0], arcs[:, 2]))
        for word, head, label in zip(*rest, strict=True):
            cell = cells.setdefault(word, [])
            cell += [f"{head}:{slots.label(pattern, word)}" for pattern in self._labels[label]]
        for word, cell in cells.items():
            ids[word] = number.setdefault("|".join(cell), len(number))
        return ids, list(number) or ["_"]
