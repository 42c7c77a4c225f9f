"""Easy-first spelled out, learning and search: all pairs are looked at anew for every arc, features are tuples."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, NamedTuple

from fastparse.learning.linear import EasyFirstRecipe
from tests.reference.base import Arc
from tests.reference.features import Row, View
from tests.training.naive import Table

MOVES = ("ATTACH-LEFT", "ATTACH-RIGHT")


class Choice(NamedTuple):
    """An arc that may be drawn between neighbours; of equal scores the first found counts."""

    score: int
    place: int
    move: str
    label: int
    moves: list[Hashable]
    labels: list[Hashable]
    right: bool


class NaiveEasyFirst:
    """Learns what a recipe has prepared, from templates given once more."""

    def __init__(self, recipe: EasyFirstRecipe, moves: Sequence[str], arcs: Sequence[str]) -> None:
        self.trees, self.templates = recipe.trees, (moves, arcs)
        self.numbers = {move: recipe.system.moves.index(move) for move in MOVES}
        description = recipe.kind.description
        self.names = description.labels
        self.allowed = {True: set(description.root_labels), False: set(description.inner_labels)}
        self.tables = {"moves": Table(), "labels": Table()}
        self.clock, self.updates, self.steps = 1, 0, 0

    def features(self, rows: Sequence[Row], drawn: list[Arc], pending: list[int], place: int, move: str) -> Any:
        """Of the pair behind a place, and of the arc."""
        c: Any = SimpleNamespace(stack=pending[: place + 1], buffer=pending[place + 1 :], drawn=drawn, n=len(rows))
        ends = pending[place : place + 2]
        view = View(c, rows, self.names, False, (ends[0], ends[1]) if move == "ATTACH-LEFT" else (ends[1], ends[0]))
        return [[f for t in some if (f := view.feature(t)) is not None] for some in self.templates]

    def choices(self, i: int, drawn: list[Arc], pending: list[int]) -> list[Choice]:
        """All of them, from left to right, with the left item as head first."""
        words = slice(int(self.trees.offsets[i]), int(self.trees.offsets[i + 1]))
        heads, labels = self.trees.heads[words].tolist(), self.trees.label_ids[words].tolist()
        sentence = self.trees.treebank[i]
        rows: list[Row] = [{"form": f, "upos": t} for f, t in zip(sentence.forms, sentence.upos, strict=True)]
        attached = {arc.dependent for arc in drawn}
        found = []
        for place, (left, other) in enumerate(pairwise(pending)):
            for move in MOVES:
                head, dependent = (left, other) if move == "ATTACH-LEFT" else (other, left)
                if dependent == 0 or (head == 0 and self.trees.single_root and len(pending) > 2):
                    continue
                waits = any(heads[w - 1] == dependent and w not in attached for w in range(1, len(heads) + 1))
                fits = heads[dependent - 1] == head and not waits
                moves, arcs = self.features(rows, drawn, pending, place, move)
                score = self.tables["moves"].scores(moves, max(self.numbers.values()) + 1)[self.numbers[move]]
                of_labels = self.tables["labels"].scores(arcs, len(self.names))
                for label in sorted(self.allowed[head == 0]):
                    right = fits and label == labels[dependent - 1]
                    found.append(Choice(score + of_labels[label], place, move, label, moves, arcs, right))
        return found

    def reward(self, choice: Choice, delta: int) -> None:
        self.tables["moves"].reward(choice.moves, self.numbers[choice.move], delta, self.clock)
        self.tables["labels"].reward(choice.labels, choice.label, delta, self.clock)

    def learn(self, order: Any, margin: int) -> None:
        for i in order:
            self.clock += 1
            pending = list(range(int(self.trees.offsets[i + 1] - self.trees.offsets[i]) + 1))
            drawn: list[Arc] = []
            while len(pending) > 1:
                found = self.choices(i, drawn, pending)
                right, wrong = ([choice for choice in found if choice.right == which] for which in (True, False))
                if not right:
                    break
                good = max(right, key=lambda choice: choice.score)
                self.steps += 1
                if wrong:
                    bad = max(wrong, key=lambda choice: choice.score)
                    if bad.score + margin >= good.score:
                        self.updates += 1
                        self.reward(good, 1)
                        self.reward(bad, -1)
                self.draw(good, drawn, pending)

    def draw(self, choice: Choice, drawn: list[Arc], pending: list[int]) -> None:
        left, other = pending[choice.place : choice.place + 2]
        head, dependent = (left, other) if choice.move == "ATTACH-LEFT" else (other, left)
        drawn.append(Arc(head, dependent, self.names[choice.label]))
        pending.remove(dependent)

    def parse(self, i: int) -> list[tuple[int, str | None]]:
        """Heads and labels of the words of a sentence, with the weights as they are now."""
        pending = list(range(int(self.trees.offsets[i + 1] - self.trees.offsets[i]) + 1))
        drawn: list[Arc] = []
        while len(pending) > 1:
            self.draw(max(self.choices(i, drawn, pending), key=lambda choice: choice.score), drawn, pending)
        return [(arc.head, arc.label) for arc in sorted(drawn, key=lambda arc: arc.dependent)]
