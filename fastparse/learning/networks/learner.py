"""A network that learns, batch by batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from fastparse.learning.networks import layers
from fastparse.learning.networks.gradients import Examples, Gradients, Outcome
from fastparse.learning.networks.network import Network
from fastparse.learning.networks.plans import Plan

__all__ = ["NetworkLearner"]

_PARTS = 2  # of a batch; their gradients are added up in order, so that threads change nothing

Arrays = dict[str, np.ndarray[Any, Any]]


class NetworkLearner:
    """A network, and what changes its numbers.

    Attributes:
        gradients: one for each part of a batch.
        sizes: words of each sentence.
        steps: batches that have been learnt.
    """

    counted = "parameters"

    def __init__(
        self, network: Network, examples: Examples, plan: Plan, threads: int = 1, teachers: Sequence[Network] = (),
        gradients: type[Gradients] = Gradients,
    ) -> None:  # fmt: skip
        """Args:
        threads: they change no byte.
        teachers: networks to learn from as well.
        """
        self.network, self.examples, self.plan, self.threads = network, examples, plan, threads
        self.gradients = [gradients(network, examples, plan, teachers) for _ in range(_PARTS)]
        self.first, self.second = np.zeros((2, len(network.numbers)), np.float32)
        self.mean = network.numbers.copy()
        self.sizes = np.diff(examples.offsets)
        self.steps = 0
        self._pool = ThreadPoolExecutor(threads)

    def divided(self, order: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
        """Sentences in order, about `plan.words` words each."""
        filled = np.cumsum(self.sizes[order])
        n = max(1, round(int(filled[-1]) / self.plan.words))
        bounds = np.searchsorted(filled, np.arange(1, n) * (filled[-1] / n))
        for batch in np.split(order, bounds):
            if len(batch):
                yield batch

    def learn_batch(self, batch: np.ndarray[Any, Any], number: int, seed: int, left: float) -> Outcome:
        """One step of learning.

        Args:
            batch: numbers of its sentences.
            number: of the round.
            left: share of the training that is still to come; the rate of learning falls with it.
        """
        outcome = self._outcome(batch, number, seed)
        self._move(len(batch) > 1, left)
        return outcome

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

    def kept(self) -> Network:
        """A network with these numbers."""
        with self.as_kept():
            found = replace(self.network, numbers=self.network.numbers.copy())
        found.built = self.network.built
        return found

    def state(self) -> Arrays:
        """What learning needs to go on, in integers."""
        state = {name: array.view(np.uint32).copy() for name, array in self._numbers().items()}
        return {**state, "steps": np.array([self.steps], np.int64)}

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Go on from there; raises ValueError, KeyError or TypeError if that cannot be."""
        for name, array in self._numbers().items():
            if state[name].shape != array.shape or state[name].dtype != np.dtype("<u4"):
                raise ValueError(f"{name!r} has another shape")
            array[:] = state[name].astype(np.uint32).view(np.float32)
        self.steps = int(state["steps"][0])

    def _numbers(self) -> Arrays:
        return {"numbers": self.network.numbers, "first": self.first, "second": self.second, "mean": self.mean}

    def _move(self, in_parts: bool, left: float) -> None:
        """One step along the gradient; halves of the numbers side by side."""
        plan, network = self.plan, self.network
        self.steps += 1
        rate = plan.rate * min(1.0, self.steps / plan.warm_up)
        rate *= left
        middle = len(network.numbers) // 2
        halves = (slice(0, middle), slice(middle, None))
        gradient, other = (part.gradient for part in self.gradients)

        def merge(half: slice) -> float:
            return layers.merge(gradient[half], other[half] if in_parts else None)

        norm = math.sqrt(sum(self._map(merge, halves)))

        def move(half: slice) -> None:
            layers.adam(
                network.numbers[half], gradient[half], self.first[half], self.second[half], max(0.0, rate),
                plan.keep_first, plan.keep_second, plan.decay, min(1.0, plan.clip / max(norm, 1e-12)), self.steps,
                self.mean[half] if plan.mean else None, max(1 - plan.mean, 2.0 / (self.steps + 1)),
            )  # fmt: skip

        self._map(move, halves)

    def _map(self, work: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
        """What the work gives for each part, on threads if there are several."""
        return list(self._pool.map(work, parts) if self.threads > 1 else map(work, parts))

    def _outcome(self, batch: np.ndarray[Any, Any], number: int, seed: int) -> Outcome:
        """Gradients of a batch, of each part in its own place."""
        words = int(self.sizes[batch].sum())
        parts = [batch]
        if len(batch) > 1:
            middle = int(np.searchsorted(np.cumsum(self.sizes[batch]), words / 2)) + 1
            parts = np.split(batch, [min(middle, len(batch) - 1)])

        def learn(job: int) -> Outcome:
            return self.gradients[job].learn(parts[job], words, number, seed + job)

        outcomes = self._map(learn, range(len(parts)))
        total: Outcome = outcomes[0]
        for other in outcomes[1:]:
            total.include(other)
        return total
