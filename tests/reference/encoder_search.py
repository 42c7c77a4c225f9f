"""Greedy and beam search over textbook configurations, with scores from an encoder; probabilities in integers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.reference import encoder
from tests.reference.base import NONE, System
from tests.reference.features import View
from tests.reference.search import allowed, arc_of

POSITIONS = ("S0", "S1", "S2", "B0", "B1", "B2", "B3", "R1", "R2", "T0", "H", "D", "R3")
FIELDS = ("", "head", "l1", "l2", "r1", "r2")
UNIT = 1024
"""Of logarithms: so many are 1."""
FURTHEST = 8192
"""What lies further below another probability adds nothing to it."""

Words = np.ndarray[Any, Any]
"""The vectors of a sentence, the root first."""


@dataclass(frozen=True)
class Model:
    """What decides how sentences are parsed, as in `tests.reference.search`."""

    start: Callable[[int], System]
    arrays: Mapping[str, np.ndarray[Any, Any]]
    labels: Sequence[str]
    root_labels: frozenset[str]
    inner_labels: frozenset[str]
    single_root: bool
    greedy: bool = False

    def cells(self, c: System, n: int, ends: tuple[int, int] = (NONE, NONE)) -> np.ndarray[Any, Any]:
        """What a configuration has at each position: words, and labels by number."""
        view = View(c, [{}] * n, self.labels, ends=ends)
        found = np.full((1, len(POSITIONS), 11), encoder.NO_LABEL, np.int64)
        for p, position in enumerate(POSITIONS):
            word = view.at[position]
            found[0, p, : len(FIELDS)] = [NONE if word < 0 else view.related(word, field) for field in FIELDS]
            for k, relation in enumerate(("", *FIELDS[2:])):
                label = None if word < 0 else view.of_arcs(word, relation, "deprel")
                if label is not None:
                    found[0, p, len(FIELDS) + k] = self.labels.index(label)
        return found

    def odds(self, choice: str, score: int) -> int:
        """A score as the logarithm of what is, divided by the sum of all, its probability."""
        factor = UNIT / float(self.arrays[f"{choice}.scale"][0])
        return max(-(1 << 28), min(1 << 28, math.floor(score * factor + 0.5)))

    def move_scores(self, c: System, words: Words) -> dict[str, int]:
        """Scores of the legal moves, each with that of the arc it draws."""
        scores = encoder.scores(self.arrays, "moves", words, self.cells(c, c.n))[0]
        found = {}
        for move in allowed(self, c):  # type: ignore[arg-type]
            found[move] = int(scores[c.table.index(move)])
            arc = arc_of(c, move)
            if arc is not None and "arcs.weights" in self.arrays:
                found[move] += int(encoder.arc_scores(self.arrays, words, [arc[0]], [arc[1]])[0])
        return found

    def label_of(self, c: System, words: Words, head: int, dependent: int) -> tuple[str, int]:
        """The best of the labels that an arc may carry, the first in a tie, and the logarithm of its probability."""
        ends = self.cells(c, c.n, (head, dependent))
        scores = encoder.scores(self.arrays, "labels", words, ends)[0].tolist()
        may_carry = self.root_labels if head == 0 else self.inner_labels
        among = {label: score for label, score in zip(self.labels, scores, strict=True) if label in may_carry}
        best = max(among, key=lambda label: among[label])
        span = math.ceil(FURTHEST / (UNIT / float(self.arrays["labels.scale"][0])))
        near = [self.odds("labels", score) for score in among.values() if score > among[best] - span]
        return best, self.odds("labels", among[best]) - folded(near)

    # What `tests.reference.search.parse_beam` asks

    def best_label(self, c: System, words: Words, head: int, dependent: int) -> str:
        return self.label_of(c, words, head, dependent)[0]

    def options(self, c: System, words: Words) -> list[tuple[int, int, str]]:
        """Of a beam, logarithms of the probabilities of moves with those of the labels of the arcs they draw."""
        scores, found = self.move_scores(c, words), []
        if self.greedy or not scores:
            return [(score, c.table.index(move), move) for move, score in scores.items()]
        odds = {move: self.odds("moves", score) for move, score in scores.items()}
        for move, log in odds.items():
            arc = arc_of(c, move)
            label = 0 if arc is None else self.label_of(c, words, *arc)[1]
            found.append((log - folded(odds.values()) + label, c.table.index(move), move))
        return found


def folded(logs: Iterable[int]) -> int:
    """The logarithm of a sum of probabilities, added up in their order."""
    total: int | None = None
    for log in logs:
        if total is None:
            total = log
        else:
            apart = abs(total - log)
            total = max(total, log) + (round(UNIT * math.log1p(math.exp(-apart / UNIT))) if apart < FURTHEST else 0)
    assert total is not None
    return total
