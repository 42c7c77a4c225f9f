"""A network that learns, batch by batch, and is handed out in bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.learning.learner import Tally, seed_of
from fastparse.learning.networks.blas import one_thread
from fastparse.learning.networks.course import Course
from fastparse.learning.quantising import encoder_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.networks.learner import Examples
    from fastparse.learning.networks.network import Network
    from fastparse.learning.networks.plan import Plan
    from fastparse.learning.options import TrainingOptions

__all__ = ["NetworkLearner"]

Arrays = dict[str, np.ndarray[Any, Any]]


class NetworkLearner:
    """See `Learner`. Time is counted in words."""

    unit = "round"
    counted = "parameters"

    def __init__(
        self, network: Network, examples: Examples, plan: Plan, options: TrainingOptions, sample: Treebank,
        threads: int, teachers: Sequence[Network] = (),
    ) -> None:  # fmt: skip
        """Args:
        sample: with the trees that are learnt, to choose the scales of bytes on.
        threads: change no byte.
        teachers: networks to learn from as well.
        """
        self._plan, self._network, self._options, self._sample = plan, network, options, sample
        self._course = Course(network, examples, plan, None, threads, teachers)
        self._pool = ThreadPoolExecutor(threads)
        self._words = plan.rounds * int(examples.offsets[-1])
        self.clock = 0
        self._steps_before = 0  # of a training that was interrupted

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        seed = seed_of(self._options, iteration, at)
        with one_thread():
            for number, batch in enumerate(self._course.divided(order)):
                left = 1 - self.clock / self._words
                self._course.learn(batch, iteration, seed + (number << 16), left, self._pool)
                self.clock += int(self._course.sizes[batch].sum())

    def tally(self) -> Tally:
        return Tally(self._course.steps - self._steps_before, len(self._network.numbers), self.clock)

    def arrays(self) -> Arrays:
        with one_thread(), self._course.as_kept():
            return encoder_of(self._network, self._sample).arrays

    def unlimited(self) -> Arrays | None:
        return None  # its size does not depend on what it has learnt from

    def kept(self) -> Network:
        """The network with the numbers that are handed out."""
        with self._course.as_kept():
            found = replace(self._network, numbers=self._network.numbers.copy())
        found.built = self._network.built
        return found

    def parsed(self, treebank: Treebank) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Heads and label ids as the floats of now give them, greedily."""
        with one_thread(), self._course.as_kept():
            return self._network.annotate(treebank)[:2]

    def state(self) -> Arrays:
        state = {name: array.view(np.uint32) for name, array in self._numbers().items()}
        return {**state, "steps": np.array([self._course.steps], np.int64)}

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        for name, array in self._numbers().items():
            if state[name].shape != array.shape or state[name].dtype != np.dtype("<u4"):
                raise ValueError(f"{name!r} has another shape")
            array[:] = state[name].astype(np.uint32).view(np.float32)
        self._course.steps = self._steps_before = int(state["steps"][0])

    def _numbers(self) -> Arrays:
        course = self._course
        return {"numbers": self._network.numbers, "first": course.first, "second": course.second, "mean": course.mean}
