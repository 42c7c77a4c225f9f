"""A training: rounds over a treebank, the best of which is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.learning.networks import layers
from fastparse.learning.networks.blas import one_thread
from fastparse.learning.networks.learner import Examples, Learner, Outcome
from fastparse.learning.networks.network import Network
from fastparse.learning.networks.plan import Plan
from fastparse.learning.networks.targets import class_numbers, without_tags

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["Course", "Round"]

_PARTS = 2  # of a batch; their gradients are added up in order, so that threads change nothing


@dataclass(frozen=True)
class Round:
    """What a round of several gave; scores in percent of the development treebank's words."""

    number: int
    rounds: int
    seconds: float
    loss: dict[str, float]
    scores: dict[str, float]

    def __str__(self) -> str:
        losses = " ".join(f"{name} {value:.4f}" for name, value in self.loss.items())
        scores = " ".join(f"{name} {value:.2f}" for name, value in self.scores.items())
        left = (self.rounds - self.number) * self.seconds / 60
        when = f"round {self.number:2d} of {self.rounds}: {self.seconds:.1f} s, {left:.0f} min left"
        return f"{when}, loss: {losses}; dev: {scores}"


class Course:
    """A training, batch by batch."""

    def __init__(
        self,
        network: Network,
        examples: Examples,
        plan: Plan,
        dev: Treebank | None,
        threads: int = 1,
        teachers: Sequence[Network] = (),
    ) -> None:
        self.network, self.examples, self.plan, self.dev, self.threads = network, examples, plan, dev, threads
        self.learners = [Learner(network, examples, plan, teachers) for _ in range(_PARTS)]
        self.first, self.second = np.zeros((2, len(network.numbers)), np.float32)
        self.sizes = np.diff(examples.offsets)
        self.mean = network.numbers.copy()
        self.steps = 0
        self.batches = len(list(self.divided(np.arange(len(self.sizes)))))
        if dev is not None:
            self.dev_rows = network.inputs.rows(dev)
            self.dev_own_rows = without_tags(self.dev_rows, network.inputs)

    def divided(self, order: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
        """Sentences in order, about `plan.words` words each."""
        filled = np.cumsum(self.sizes[order])
        n = max(1, round(int(filled[-1]) / self.plan.words))
        bounds = np.searchsorted(filled, np.arange(1, n) * (filled[-1] / n))
        for batch in np.split(order, bounds):
            if len(batch):
                yield batch

    def run(self, report: Callable[[Round], object] = print) -> list[Round]:
        """All rounds; the network is left with the numbers of the best one, by LAS or by outputs without a parser.

        Interrupted (Ctrl-C) after the first round, the best so far.
        """
        best, best_score = self.network.numbers.copy(), -1.0
        rounds: list[Round] = []
        with one_thread(), ThreadPoolExecutor(self.threads) as pool:
            for number in range(1, self.plan.rounds + 1):
                begun = time.perf_counter()
                try:
                    outcome = self._round(number, pool)
                except KeyboardInterrupt:
                    if not rounds:
                        raise
                    break
                with self.as_kept():
                    scores = self.scores()
                    trees = [score for name, score in scores.items() if name.endswith("las")]
                    score = sum(trees or scores.values())
                    if score >= best_score:
                        best_score, best = score, self.network.numbers.copy()
                loss = {name: value / outcome.words for name, value in outcome.loss.items()}
                rounds.append(Round(number, self.plan.rounds, time.perf_counter() - begun, loss, scores))
                report(rounds[-1])
        self.network.numbers[:] = best
        return rounds

    @contextmanager
    def as_kept(self) -> Iterator[None]:
        """Gives the network the numbers that would be kept of it: their running mean if the plan has one."""
        learning = self.network.numbers.copy()
        if self.plan.mean:
            self.network.numbers[:] = self.mean
        try:
            yield
        finally:
            self.network.numbers[:] = learning

    def _round(self, number: int, pool: ThreadPoolExecutor) -> Outcome:
        plan = self.plan
        source = np.random.Generator(np.random.PCG64([plan.seed, number]))
        order = source.permutation(len(self.sizes))
        total = Outcome()
        for batch in self.divided(order):
            left = 1 - self.steps / (self.batches * plan.rounds)
            total.include(self.learn(batch, number, int(source.integers(2**63)), left, pool))
        return total

    def learn(
        self, batch: np.ndarray[Any, Any], number: int, seed: int, left: float, pool: ThreadPoolExecutor
    ) -> Outcome:
        """One step of learning.

        Args:
            batch: numbers of its sentences.
            number: of the round.
            left: share of the training that is still to come; the rate of learning falls with it.
        """
        outcome = self._step(batch, number, seed, pool)
        self._move(len(batch) > 1, left, pool)
        return outcome

    def _move(self, in_parts: bool, left: float, pool: ThreadPoolExecutor) -> None:
        """One step along the gradient; halves of the numbers side by side."""
        plan, network = self.plan, self.network
        self.steps += 1
        rate = plan.rate * min(1.0, self.steps / plan.warm_up)
        rate *= left
        middle = len(network.numbers) // 2
        halves = (slice(0, middle), slice(middle, None))
        gradient, other = (learner.gradient for learner in self.learners)

        def merge(half: slice) -> float:
            return layers.merge(gradient[half], other[half] if in_parts else None)

        norm = sum(self._map(pool, merge, halves)) ** 0.5

        def move(half: slice) -> None:
            layers.adam(
                network.numbers[half], gradient[half], self.first[half], self.second[half], max(0.0, rate),
                plan.keep_first, plan.keep_second, plan.decay, min(1.0, plan.clip / max(norm, 1e-12)), self.steps,
                self.mean[half] if plan.mean else None, max(1 - plan.mean, 2.0 / (self.steps + 1)),
            )  # fmt: skip

        self._map(pool, move, halves)

    def _map(self, pool: ThreadPoolExecutor, work: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
        """What the work gives for each part, on threads if there are several."""
        return list(pool.map(work, parts) if self.threads > 1 else map(work, parts))

    def _step(self, batch: np.ndarray[Any, Any], number: int, seed: int, pool: ThreadPoolExecutor) -> Outcome:
        """Gradients of a batch, a part in each learner."""
        words = int(self.sizes[batch].sum())
        parts = [batch]
        if len(batch) > 1:
            middle = int(np.searchsorted(np.cumsum(self.sizes[batch]), words / 2)) + 1
            parts = np.split(batch, [min(middle, len(batch) - 1)])

        def learn(job: int) -> Outcome:
            return self.learners[job].learn(parts[job], words, number, seed + job)

        outcomes = self._map(pool, learn, range(len(parts)))
        total: Outcome = outcomes[0]
        for other in outcomes[1:]:
            total.include(other)
        return total

    def scores(self) -> dict[str, float]:
        """UAS, LAS and the share of right classes per output, on the development treebank.

        A network that learns to do without tags is asked twice; the scores without them are named "own ...".
        """
        if self.dev is None:
            return {}
        given = self.plan.dropout.given
        found = self._scores(self.dev_rows) if given < 1 else {}
        if given:
            own = self._scores(self.dev_own_rows, outputs=True)
            found |= {f"own {name}": score for name, score in own.items()}
        return found

    def _scores(self, rows: np.ndarray[Any, Any], outputs: bool = False) -> dict[str, float]:
        assert self.dev is not None
        heads, labels, classes = self.network.annotate(self.dev, rows)
        n = max(1, len(heads))
        found = {}
        if self.network.shape.moves:
            number = {label: i for i, label in enumerate(self.network.labels)}
            ids = np.array([number.get(label, -1) for label in self.dev.deprel_table] + [-1], np.int32)
            right = heads == self.dev.heads
            found["uas"] = 100 * int(right.sum()) / n
            found["las"] = 100 * int((right & (labels == ids[self.dev.deprel_ids])).sum()) / n
        if outputs or not self.plan.dropout.given:
            for name, got in classes.items():
                gold = class_numbers(self.dev, name, (self.network.outputs or {})[name])
                found[name] = 100 * int((got == gold).sum()) / n
        return found
