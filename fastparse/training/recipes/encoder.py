"""Learning an encoder: a network in floats, along states of derivations, which parses in bytes after each iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from fastparse.errors import Error
from fastparse.model.description import EncoderDescription
from fastparse.networks.blas import one_thread
from fastparse.networks.course import Course
from fastparse.networks.presets import plan_for, shape_for
from fastparse.networks.train import new_network
from fastparse.search.decoding import Decoder
from fastparse.search.kinds.encoder import EncoderSearch, require_encodable
from fastparse.training.learner import Tally, seed_of
from fastparse.training.network_parsers import allowed_labels, task_of
from fastparse.training.preparation import derived, trees_of
from fastparse.training.quantising import encoder_of
from fastparse.training.recipes.plain import named

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.machine.system import System
    from fastparse.training.compiling import Rows
    from fastparse.training.development import Development
    from fastparse.training.options import TrainingOptions
    from fastparse.training.preparation import Account
    from fastparse.training.recipes.recipe import Arrays, Report

__all__ = ["EncoderRecipe", "NetworkLearner"]


class EncoderRecipe:
    """See `Recipe`.

    Attributes:
        system: that is searched with.
        task: what the network learns.
        shape, plan: of the network, and of its training.
        inputs: the strings that have embeddings.
    """

    def __init__(self, treebank: Treebank, system: System, options: TrainingOptions, account: Account) -> None:
        """Make the treebank fit for learning.

        Raises:
            Error: if no network learns with the system, or nothing is left to learn from.
            OracleError: with outside="stop", if there is a tree the system cannot build.
        """
        assert options.encoder is not None
        require_encodable(system.name)
        self.system, self.options = system, options
        self.shape = shape_for(options.encoder)
        self.trees, derivations = derived(trees_of(treebank, options, account), system, options.outside, account)
        self.task = task_of(self.trees, derivations)
        self.plan = plan_for(
            self.trees.treebank.n_words, options.encoder, seed=options.seed, rounds=options.iterations,
            explore=options.explore,
        )  # fmt: skip
        self.network, self.examples = new_network(self.task, self.trees.treebank, self.shape, self.plan, system)
        self.kind = EncoderSearch(self._described())

    def learner(self, options: TrainingOptions) -> NetworkLearner:
        return NetworkLearner(self)

    def decoder(self, arrays: Arrays) -> Decoder:
        return Decoder(self.kind, self.kind.weights(arrays))

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        return np.asarray(treebank.heads)

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> NoReturn:
        raise Error("encoders of several runs have no mean: train one, with runs=1")

    def finish(self, arrays: Arrays, development: Development | None, report: Report) -> tuple[Decoder, dict[str, Any]]:
        return self.decoder(arrays), {}

    def _described(self) -> EncoderDescription:
        found, options = self.trees, self.options
        root, inner = allowed_labels(found)
        assert options.encoder is not None
        return EncoderDescription(
            **named(self.system), labels=found.labels, root_labels=root, inner_labels=inner,
            single_root=found.single_root, beam=options.beam, encoding=options.pseudo_projective,
            encoder=options.encoder, inputs=self.network.inputs.to_dict(),
        )  # fmt: skip


class NetworkLearner:
    """See `Learner`. Time is counted in words."""

    def __init__(self, made: EncoderRecipe) -> None:
        self._plan, self._network, self._options = made.plan, made.network, made.options
        self._sample = made.trees.treebank.with_heads(made.trees.heads, made.trees.label_ids, made.trees.labels)
        self._course = Course(made.network, made.examples, made.plan, None)
        self._pool = ThreadPoolExecutor(1)  # not used by one thread
        self._words = made.plan.rounds * int(made.trees.offsets[-1])
        self.clock = 0
        self._steps_before = 0  # of a training that was interrupted

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        explore = self._plan.explore if iteration >= self._plan.explore_from else 0.0
        seed = seed_of(self._options, iteration, at)
        with one_thread():
            for number, batch in enumerate(self._course.divided(order)):
                left = 1 - self.clock / self._words
                self._course.learn(batch, explore, seed + (number << 16), left, self._pool)
                self.clock += int(self._course.sizes[batch].sum())

    def tally(self) -> Tally:
        return Tally(self._course.steps - self._steps_before, len(self._network.numbers), self.clock)

    def arrays(self) -> Arrays:
        numbers = self._network.numbers
        learning = numbers.copy()
        if self._plan.mean:
            numbers[:] = self._course.mean
        try:
            with one_thread():
                return encoder_of(self._network, self._sample).arrays
        finally:
            numbers[:] = learning

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
