"""The perceptron spelled out: weights in dictionaries, every score summed anew, whole configurations copied.

Only configurations, oracles and the keys of features are the package's own; each of them is tested elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from fastparse.features.inspection import label_keys, move_keys
from fastparse.learning.recipes.plain import PlainRecipe
from fastparse.theory.configuration import CellConfiguration
from fastparse.theory.inspection import best_moves

Move = tuple[str, int]
"""A move and the label of its arc, 0 where it draws none."""


class Table:
    """Weights, and the sum of all changes times when they were made, by feature and class."""

    def __init__(self) -> None:
        self.weights: Counter[tuple[Hashable, int]] = Counter()
        self.drift: Counter[tuple[Hashable, int]] = Counter()

    def scores(self, keys: Sequence[Hashable], width: int) -> list[int]:
        return [sum(self.weights[key, k] for key in keys) for k in range(width)]

    def reward(self, keys: Sequence[Hashable], k: int, delta: int, clock: int) -> None:
        for key in keys:
            self.weights[key, k] += delta
            self.drift[key, k] += delta * clock

    def content(self) -> dict[tuple[Hashable, int], tuple[int, int]]:
        both = {at: (self.weights[at], self.drift[at]) for at in self.weights.keys() | self.drift.keys()}
        return {at: row for at, row in both.items() if any(row)}


@dataclass(frozen=True)
class State:
    """A place in a beam, reached by `path`."""

    score: int
    c: CellConfiguration
    path: tuple[Move, ...] = ()


class NaiveLearner:
    """Learns what a recipe has prepared.

    Attributes:
        tables: "moves" and "labels".
        explored: how many wrong choices were followed.
        dropped: how many findings of a minibatch did not hold any more.
    """

    def __init__(self, recipe: PlainRecipe) -> None:
        self.recipe, self.trees = recipe, recipe.trees
        self.system, self.names = recipe.system, tuple(recipe.system.moves)
        description = recipe.kind.description
        self.labels = description.labels
        self.allowed = {True: set(description.root_labels), False: set(description.inner_labels)}
        _, self.move_plan, _, self.label_plan = recipe.kind._plans
        self.tables = {"moves": Table(), "labels": Table()}
        self.clock, self.updates, self.steps, self.explored, self.dropped = 1, 0, 0, 0, 0

    # What is known of a configuration.

    def keys(self, i: int, c: CellConfiguration, move: str | None = None) -> list[int]:
        place = c, self.recipe.values, self.trees.offsets, i
        return move_keys(self.move_plan, *place) if move is None else label_keys(self.label_plan, *place, move)

    def arc(self, c: CellConfiguration, move: str) -> tuple[int, int]:
        """The arc a move draws."""
        twin = c.copy()
        twin.apply(f"{move}:{self.labels[0]}")
        before, after = c.heads, twin.heads
        return next((after[k], k + 1) for k in range(c.n) if after[k] != before[k])

    def draws(self, move: str) -> bool:
        return bool(self.system.labelled(move))

    def legal(self, c: CellConfiguration) -> list[str]:
        moves = [move for move in self.names if move in c.legal()]
        if self.trees.single_root and 0 in c.heads:
            moves = [move for move in moves if not (self.draws(move) and self.arc(c, move)[0] == 0)]
        return moves

    def move_scores(self, i: int, c: CellConfiguration) -> dict[str, int]:
        return dict(zip(self.names, self.tables["moves"].scores(self.keys(i, c), len(self.names)), strict=True))

    def label_scores(self, i: int, c: CellConfiguration, move: str) -> list[tuple[bool, int, int]]:
        """By label; the largest is the best: one that the arc may carry, of the largest score, the first of these."""
        scores = self.tables["labels"].scores(self.keys(i, c, move), len(self.labels))
        may = self.allowed[self.arc(c, move)[0] == 0]
        return [(label in may, score, -label) for label, score in enumerate(scores)]

    def apply(self, c: CellConfiguration, move: Move) -> None:
        c.apply(f"{move[0]}:{self.labels[move[1]]}" if self.draws(move[0]) else move[0])

    def start(self, i: int) -> CellConfiguration:
        return CellConfiguration(self.system, int(self.trees.offsets[i + 1] - self.trees.offsets[i]), self.labels)

    def gold(self, i: int) -> tuple[list[int], list[int], list[Move]]:
        """Heads, labels, derivation."""
        words = slice(int(self.trees.offsets[i]), int(self.trees.offsets[i + 1]))
        moves, labels, starts = self.recipe.derivations
        steps = range(int(starts[i]), int(starts[i + 1]))
        path = [(self.names[moves[k]], int(labels[k]) if self.draws(self.names[moves[k]]) else 0) for k in steps]
        return self.trees.heads[words].tolist(), self.trees.label_ids[words].tolist(), path

    # Learning.

    def reward(self, i: int, c: CellConfiguration, move: str, delta: int) -> None:
        self.tables["moves"].reward(self.keys(i, c), self.names.index(move), delta, self.clock)

    def learn_label(self, i: int, c: CellConfiguration, move: str, right: int, margin: int) -> int | None:
        """The label that wins over the right one, if there is one."""
        scores = self.label_scores(i, c, move)
        other = max((score for score in scores if score[2] != -right), default=None)
        if other is None:
            return None
        # A label that the arc may not carry is no rival.
        if other[0] and other[1] + margin >= scores[right][1]:
            self.tables["labels"].reward(self.keys(i, c, move), right, 1, self.clock)
            self.tables["labels"].reward(self.keys(i, c, move), -other[2], -1, self.clock)
        return -other[2] if other[0] and other[1] > scores[right][1] else None

    def learn_greedy(self, order: Any, dynamic: bool, explore: bool, margin: int) -> None:
        for i in order:
            self.clock += 1
            heads, labels, path = self.gold(i)
            if not path:
                continue
            c = self.start(i)
            while not c.is_final():
                legal = self.legal(c)
                best = [move for move in best_moves(c, heads) if move in legal] if dynamic else [path.pop(0)[0]]
                scores = self.move_scores(i, c)
                right = max(best, key=lambda move: (scores[move], -self.names.index(move)))
                rivals = [move for move in legal if move not in best]
                move = right
                self.steps += 1
                if rivals:
                    wrong = max(rivals, key=lambda move: (scores[move], -self.names.index(move)))
                    if scores[wrong] + margin >= scores[right]:
                        self.updates += 1
                        self.reward(i, c, right, 1)
                        self.reward(i, c, wrong, -1)
                    if scores[wrong] > scores[right] and explore and dynamic:
                        move, self.explored = wrong, self.explored + 1
                label = 0
                if self.draws(move):
                    head, dependent = self.arc(c, move)
                    if heads[dependent - 1] == head:
                        label = labels[dependent - 1]
                        rival = self.learn_label(i, c, move, label, margin)
                        if rival is not None and explore:
                            label, self.explored = rival, self.explored + 1
                    else:
                        label = -max(self.label_scores(i, c, move))[2]
                self.apply(c, (move, label))

    def after(self, i: int, state: State, move: str, gain: int) -> State:
        c = state.c.copy()
        label = -max(self.label_scores(i, c, move))[2] if self.draws(move) else 0
        self.apply(c, (move, label))
        return State(state.score + gain, c, (*state.path, (move, label)))

    def learn_structured(self, order: Any, size: int, max_violation: bool, margin: int, minibatch: int) -> None:
        for first in range(0, len(order), minibatch):
            cases = []
            for i in order[first : first + minibatch]:
                self.clock += 1
                if path := self.gold(i)[2]:
                    moves = [move for move, _ in path]
                    cases.append((self.clock, i, *self.compare(i, moves, size, max_violation, margin)))
            now, before = self.clock, self.updates
            for self.clock, i, wrong, right, _ in cases:
                if wrong != right:
                    self.learn_moves(i, wrong, right, margin, changed=self.updates > before)
            for self.clock, i, _, _, end in cases:
                c = self.start(i)
                for (move, label), (_, wanted) in zip(end, self.gold(i)[2], strict=False):
                    if self.draws(move):
                        self.learn_label(i, c, move, wanted, margin)
                    self.apply(c, (move, label))
            self.clock = now

    def learn_moves(self, i: int, wrong: tuple[Move, ...], right: tuple[Move, ...], margin: int, changed: bool) -> None:
        """Unless weights have changed, and the wrong prefix is no longer ahead."""
        if changed and self.score(i, wrong, margin) < self.score(i, right, 0):
            self.dropped += 1
            return
        self.updates += 1
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(wrong, right, strict=False))))
        for steps, delta in ((wrong, -1), (right, 1)):
            c = self.start(i)
            for k, step in enumerate(steps):
                if k >= same:
                    self.reward_step(i, c, step, delta)
                self.apply(c, step)

    def score(self, i: int, path: tuple[Move, ...], margin: int) -> int:
        """Of a prefix, with the margin for each wrong arc."""
        c, total = self.start(i), 0
        for step in path:
            total += self.move_scores(i, c)[step[0]]
            if self.draws(step[0]):
                total += self.label_part(i, c, step) + margin * self.is_wrong(i, c, step)
            self.apply(c, step)
        return total

    def reward_step(self, i: int, c: CellConfiguration, step: Move, delta: int) -> None:
        """Labels are learnt elsewhere."""
        self.reward(i, c, step[0], delta)

    def label_part(self, i: int, c: CellConfiguration, step: Move) -> int:
        """What the label of an arc adds to the score of the move that draws it."""
        return 0

    def is_wrong(self, i: int, c: CellConfiguration, step: Move) -> bool:
        """Whether the arc that a move draws is none of the gold tree."""
        head, dependent = self.arc(c, step[0])
        return self.gold(i)[0][dependent - 1] != head

    def compare(
        self, i: int, derivation: list[str], size: int, max_violation: bool, margin: int
    ) -> tuple[tuple[Move, ...], ...]:
        """The wrong prefix and the right one to learn from, the same if there is nothing to learn; and as much of the
        derivation as was followed, with the parser's own labels."""
        beam = [State(0, self.start(i))]
        gold, rank, largest = beam[0], 0, 0
        found: tuple[tuple[Move, ...], ...] = (), ()
        step = 0
        while True:
            candidates = []
            for k, state in enumerate(beam):
                if state.c.is_final():
                    candidates.append((-state.score, k, len(self.names), None, 0))
                    continue
                scores = self.move_scores(i, state.c)
                for move in self.legal(state.c):
                    gain = scores[move]
                    if self.draws(move):
                        gain += margin * self.is_wrong(i, state.c, (move, 0))
                    candidates.append((-state.score - gain, k, self.names.index(move), move, gain))
            if all(move is None for *_, move, _ in candidates):
                break
            candidates = sorted(candidates, key=lambda one: one[:3])[:size]
            wanted = derivation[step] if step < len(derivation) else None
            ranks = [k for k, (_, parent, _, move, _) in enumerate(candidates) if (parent, move) == (rank, wanted)]
            rank = ranks[0] if ranks and rank >= 0 else -1
            if wanted is not None:
                gold = self.after(i, gold, wanted, self.move_scores(i, gold.c)[wanted])
            beam = [
                beam[k] if move is None else self.after(i, beam[k], move, gain) for _, k, _, move, gain in candidates
            ]
            step += 1
            if rank < 0 and not max_violation:
                return beam[0].path, gold.path, gold.path
            if rank != 0 and max_violation and beam[0].score - gold.score >= largest:
                largest = beam[0].score - gold.score
                found = beam[0].path, gold.path
        if rank == 0:
            found = (), ()
        elif not max_violation:
            found = beam[0].path, gold.path
        return (*found, gold.path)
