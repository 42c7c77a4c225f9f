"""Greedy and beam search over textbook configurations, with weights in dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.reference.base import NONE, System
from tests.reference.features import Row, View

Weights = Mapping[tuple[Any, ...], Mapping[Any, int]]
"""Feature -> class -> weight."""


@dataclass(frozen=True)
class Model:
    """What decides how sentences are parsed; `start` makes the initial configuration for n words."""

    start: Callable[[int], System]
    move_templates: Sequence[str]
    label_templates: Sequence[str]
    move_weights: Weights
    label_weights: Weights
    labels: Sequence[str]
    root_labels: frozenset[str]
    inner_labels: frozenset[str]
    single_root: bool
    joined: bool = False
    labels_with_moves: bool = False

    def best_label(self, c: System, rows: Sequence[Row], head: int, dependent: int) -> str:
        """The best label of those an arc may carry, the first in a tie."""
        scores = label_scores(self, c, rows, head, dependent)
        return max(scores, key=lambda label: (scores[label], -self.labels.index(label)))

    def options(self, c: System, rows: Sequence[Row]) -> list[tuple[int, int, str]]:
        """What may be done: score, place in a tie, and move; where labels are parts of moves, each with each label."""
        scores, found = move_scores(self, c, rows), []
        for move in allowed(self, c):
            arc, place = arc_of(c, move), c.table.index(move) * len(self.labels)
            if arc is None or not self.labels_with_moves:
                found.append((scores[move], place, move))
            else:
                for label, score in label_scores(self, c, rows, *arc).items():
                    found.append((scores[move] + score, place + self.labels.index(label), f"{move}:{label}"))
        return found


class Result(NamedTuple):
    """A parsed sentence."""

    heads: list[int]
    labels: list[str]
    n_moves: int


class State(NamedTuple):
    """A place in a beam."""

    score: int
    c: System
    n_moves: int


def arc_of(c: System, move: str) -> tuple[int, int] | None:
    """The head and the dependent of the arc a move draws."""
    if move not in c.arc_moves:
        return None
    twin = c.copy()
    twin.apply(move)
    return twin.drawn[-1][:2]


def allowed(model: Model, c: System) -> list[str]:
    """Legal moves; with a single root none that draws a second arc from it."""
    moves = c.legal()
    if model.single_root and any(arc.head == 0 for arc in c.drawn):
        moves = [move for move in moves if (arc_of(c, move) or (NONE,))[0] != 0]
    return moves


def summed(view: View, templates: Sequence[str], weights: Weights, classes: Sequence[Any]) -> dict[Any, int]:
    """The score of each class."""
    scores = dict.fromkeys(classes, 0)
    for template in templates:
        feature = view.feature(template)
        if feature is not None:
            for each, weight in weights.get(feature, {}).items():
                scores[each] += weight
    return scores


def move_scores(model: Model, c: System, rows: Sequence[Row]) -> dict[str, int]:
    """The score of each move of the system's table."""
    return summed(View(c, rows, model.labels, model.joined), model.move_templates, model.move_weights, c.table)


def label_scores(model: Model, c: System, rows: Sequence[Row], head: int, dependent: int) -> dict[str, int]:
    """The score of each label that an arc may carry."""
    view = View(c, rows, model.labels, model.joined, (head, dependent))
    scores = summed(view, model.label_templates, model.label_weights, model.labels)
    may_carry = model.root_labels if head == 0 else model.inner_labels
    return {label: scores[label] for label in model.labels if label in may_carry}


def after(model: Model, c: System, rows: Sequence[Row], move: str) -> System:
    """The configuration after a move, whose arc carries its best label if it has none."""
    twin = c.copy()
    arc = arc_of(c, move)
    twin.apply(move if arc is None or ":" in move else f"{move}:{model.best_label(c, rows, *arc)}")
    return twin


def complete(model: Model, c: System, rows: Sequence[Row], n_moves: int) -> Result:
    """Headless words hang from the root; with a single root from its child, which the first of them becomes."""
    heads, labels = c.heads, [str(label) for label in c.deprels]
    below_root = [arc.dependent for arc in c.drawn if arc.head == 0]
    for word in range(1, c.n + 1):
        if heads[word - 1] < 0:
            head = below_root[0] if model.single_root and below_root else 0
            if head == 0:
                below_root.append(word)
            heads[word - 1] = head
            labels[word - 1] = model.best_label(c, rows, head, word)
    return Result(heads, labels, n_moves)


def parse_greedy(model: Model, rows: Sequence[Row]) -> Result:
    """The best move each time, the first in a tie."""
    c = model.start(len(rows))
    n_moves = 0
    while found := model.options(c, rows):
        c = after(model, c, rows, max(found, key=lambda one: (one[0], -one[1]))[2])
        n_moves += 1
    return complete(model, c, rows, n_moves)


def parse_beam(model: Any, rows: Sequence[Any], size: int, threshold: int = 0) -> Result:
    """The best `size` configurations each time; ties go to the better predecessor, then to the first move.

    Final configurations stay, and win once nothing moves any more. A dead end counts only if there are none.

    Args:
        threshold: what scores less than the best by more than this is left out; 0: nothing.
    """
    beam = [State(0, model.start(len(rows)), 0)]
    dead: State | None = None
    while True:
        candidates: list[tuple[int, int, int, str | None]] = []
        for rank, state in enumerate(beam):
            if state.c.is_final():
                candidates.append((-state.score, rank, 0, None))
                continue
            found = model.options(state.c, rows)
            if not found and (dead is None or state.score > dead.score):
                dead = state
            candidates += [(-state.score - score, rank, place, move) for score, place, move in found]
        if not candidates:
            assert dead is not None
            return complete(model, dead.c, rows, dead.n_moves)
        candidates.sort(key=lambda one: one[:3])
        if all(move is None for *_, move in candidates):
            best = beam[candidates[0][1]]
            return complete(model, best.c, rows, best.n_moves)
        following = []
        for score, rank, _, move in candidates[:size]:
            if threshold and score - candidates[0][0] > threshold:
                break
            state = beam[rank]
            if move is None:
                following.append(state)
            else:
                following.append(State(-score, after(model, state.c, rows, move), state.n_moves + 1))
        beam = following
