"""The perceptron spelled out where labels are parts of moves: every label of an arc competes with all other moves."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastparse.theory.configuration import CellConfiguration
from fastparse.theory.inspection import best_moves
from tests.training.naive import Move, NaiveLearner, State


class Offer(NamedTuple):
    """What may be done, and what it scores."""

    score: int
    move: str
    label: int


class NaiveWithLabels(NaiveLearner):
    """Learns what a recipe has prepared."""

    def offers(self, i: int, c: CellConfiguration) -> list[Offer]:
        """In the order in which ties are decided."""
        scores, found = self.move_scores(i, c), []
        for move in self.legal(c):
            if not self.draws(move):
                found.append(Offer(scores[move], move, 0))
                continue
            labels = self.label_scores(i, c, move)
            for label, (may, score, _) in enumerate(labels):
                if may:
                    found.append(Offer(scores[move] + score, move, label))
        return found

    def reward_step(self, i: int, c: CellConfiguration, step: Move, delta: int) -> None:
        self.reward(i, c, step[0], delta)
        if self.draws(step[0]):
            self.tables["labels"].reward(self.keys(i, c, step[0]), step[1], delta, self.clock)

    def label_part(self, i: int, c: CellConfiguration, step: Move) -> int:
        return self.label_scores(i, c, step[0])[step[1]][1]

    def is_wrong(self, i: int, c: CellConfiguration, step: Move) -> bool:
        head, dependent = self.arc(c, step[0])
        heads, labels, _ = self.gold(i)
        return (heads[dependent - 1], labels[dependent - 1]) != (head, step[1])

    def learn_greedy(self, order: Any, dynamic: bool, explore: bool, margin: int) -> None:
        for i in order:
            self.clock += 1
            heads, labels, path = self.gold(i)
            if not path:
                continue
            c = self.start(i)
            while not c.is_final():
                best = set(best_moves(c, heads)) if dynamic else {path.pop(0)[0]}
                right, wrong = [], []
                for offer in self.offers(i, c):
                    is_right = offer.move in best
                    if is_right and self.draws(offer.move):
                        head, dependent = self.arc(c, offer.move)
                        if heads[dependent - 1] == head:
                            is_right = offer.label == labels[dependent - 1]
                        else:  # an arc that costs nothing: its best label alone
                            arcs = [one for one in self.offers(i, c) if one.move == offer.move]
                            if offer != max(arcs, key=lambda one: one.score):
                                continue
                    (right if is_right else wrong).append(offer)
                first = max(right, key=lambda one: one.score)
                made = first
                self.steps += 1
                if wrong:
                    rival = max(wrong, key=lambda one: one.score)
                    if rival.score + margin >= first.score:
                        self.updates += 1
                        self.reward_step(i, c, (first.move, first.label), 1)
                        self.reward_step(i, c, (rival.move, rival.label), -1)
                    if rival.score > first.score and explore and (dynamic or rival.move == first.move):
                        made, self.explored = rival, self.explored + 1
                self.apply(c, (made.move, made.label))

    def made(self, state: State, offer: Offer) -> State:
        c = state.c.copy()
        self.apply(c, (offer.move, offer.label))
        return State(state.score + offer.score, c, (*state.path, (offer.move, offer.label)))

    def learn_structured(self, order: Any, size: int, max_violation: bool, margin: int, minibatch: int) -> None:
        for first in range(0, len(order), minibatch):
            cases = []
            for i in order[first : first + minibatch]:
                self.clock += 1
                if path := self.gold(i)[2]:
                    cases.append((self.clock, i, *self.search(i, path, size, max_violation, margin)))
            now, before = self.clock, self.updates
            for self.clock, i, wrong, right in cases:
                if wrong != right:
                    self.learn_moves(i, wrong, right, margin, changed=self.updates > before)
            self.clock = now

    def search(
        self, i: int, derivation: list[Move], size: int, max_violation: bool, margin: int
    ) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        """The wrong prefix and the right one, the same if there is nothing to learn."""
        beam = [State(0, self.start(i))]
        gold, largest, step = beam[0], 0, 0
        found: tuple[tuple[Move, ...], tuple[Move, ...]] = (), ()
        while True:
            candidates: list[tuple[int, int, int, Offer | None]] = []
            for rank, state in enumerate(beam):
                if state.c.is_final():
                    candidates.append((-state.score, rank, 0, None))
                    continue
                for place, offer in enumerate(self.offers(i, state.c)):
                    gain = offer.score
                    if self.draws(offer.move):
                        gain += margin * self.is_wrong(i, state.c, (offer.move, offer.label))
                    candidates.append((-state.score - gain, rank, place, offer._replace(score=gain)))
            if all(offer is None for *_, offer in candidates):
                break
            candidates = sorted(candidates, key=lambda one: one[:3])[:size]
            beam = [beam[rank] if offer is None else self.made(beam[rank], offer) for _, rank, _, offer in candidates]
            if step < len(derivation):
                gold = self.made(gold, next(one for one in self.offers(i, gold.c) if one[1:] == derivation[step]))
            step += 1
            paths = [state.path for state in beam]
            if gold.path not in paths and not max_violation:
                return beam[0].path, gold.path
            if paths[0] != gold.path and max_violation and beam[0].score - gold.score >= largest:
                largest, found = beam[0].score - gold.score, (beam[0].path, gold.path)
        if beam[0].path == gold.path:
            return (), ()
        return found if max_violation else (beam[0].path, gold.path)
