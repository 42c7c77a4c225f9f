"""Learning plain search: from an oracle's derivations, with a beam, or greedily with exploration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastparse.features.templates import TemplateSet, load_templates
from fastparse.learning.compiling import Rows
from fastparse.learning.fingerprint import attributes_in
from fastparse.learning.learner import TableLearner, mean_arrays, seed_of
from fastparse.learning.preparation import Derivations, Trees, derived, trees_of
from fastparse.learning.systems import family_templates
from fastparse.learning.trainers.greedy import GreedyTrainer
from fastparse.learning.trainers.structured import StructuredTrainer
from fastparse.model.description import Description
from fastparse.search.decoder import Decoder
from fastparse.search.kinds import Plain
from fastparse.theory.compose import recipe
from fastparse.transition_systems.registry import ROWS

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.development import Development
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Account
    from fastparse.learning.recipes.recipe import Arrays, Report
    from fastparse.machine.system import System

__all__ = ["PlainLearner", "PlainRecipe", "in_minibatches", "minibatch_for", "named"]


class PlainRecipe:
    """See `Recipe`. The other linear recipes begin with what this one does.

    Attributes:
        system: that is searched with.
        derivations: of the trees.
        values: what templates read of the sentences.
    """

    search: ClassVar[type[Plain]] = Plain

    def __init__(
        self, treebank: Treebank, system: System, options: TrainingOptions, account: Account, threads: int = 1
    ) -> None:
        """Make the treebank fit for learning.

        Args:
            threads: to learn on; they change no byte.

        Raises:
            Error: if nothing is left to learn from.
            OracleError: with outside="stop", if there is a tree the system cannot build.
        """
        self.system, self.options, self.threads = system, options, threads
        self.trees, self.derivations = self._prepared(trees_of(treebank, options, account), account)
        self.kind = self.search(self._described())
        self.values = self.kind.values(self.trees.treebank)

    def learner(self, options: TrainingOptions) -> TableLearner:
        return PlainLearner(self, options, max(1, self.threads // options.runs))

    def decoder(self, arrays: Arrays) -> Decoder:
        return Decoder(self.kind, self.kind.weights(arrays))

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        return np.asarray(treebank.heads)

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> Arrays:
        return mean_arrays(parts, self.kind.engine_forms, self.options)

    def finish(self, arrays: Arrays, development: Development | None, report: Report) -> tuple[Decoder, dict[str, Any]]:
        return self.decoder(arrays), {}

    def _prepared(self, found: Trees, account: Account) -> tuple[Trees, Derivations]:
        """The trees that are learnt from, with their derivations."""
        return derived(found, self.system, self.options.outside, account)

    def _templates(self) -> TemplateSet:
        return load_templates(self.options.templates or family_templates(self.system.name))

    def _named(self) -> dict[str, Any]:
        """The system, as a description names it."""
        return named(self.system)

    def _described(self) -> Description:
        templates, found, options = self._templates(), self.trees, self.options
        root, inner = (tuple(np.unique(found.label_ids[of]).tolist()) for of in (found.heads == 0, found.heads > 0))
        return Description(
            **self._named(), **attributes_in(found.treebank, templates), templates=templates.text, labels=found.labels,
            root_labels=root, inner_labels=inner or root, single_root=found.single_root, beam=options.beam,
            encoding=options.pseudo_projective, chosen_by=options.labels,
        )  # fmt: skip


class PlainLearner(TableLearner):
    """The perceptron: structured, with updates of a beam, or greedy where the beam is 1."""

    trainer: GreedyTrainer | StructuredTrainer

    def __init__(self, made: PlainRecipe, options: TrainingOptions, threads: int) -> None:
        super().__init__(made.kind.engine_forms, options)
        self._engine = made.kind.engine(self.tables)
        self._trees = made.trees
        given = self._engine, made.values, made.trees.offsets, *made.derivations
        self._minibatch = options.minibatch or minibatch_for(len(made.trees.offsets) - 1)
        if options.beam > 1:
            self.trainer = StructuredTrainer(*given, options.beam, self._minibatch, threads)
        else:
            self.trainer = GreedyTrainer(*given)

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        options, found = self.options, self._trees
        if isinstance(self.trainer, StructuredTrainer):
            order = in_minibatches(order, np.diff(found.offsets), self._minibatch)
            early = options.update == "early"
            self.trainer.learn(order, found.heads, found.label_ids, not early, options.margin)
            return
        # The first iteration follows the oracle, from states that are right.
        explore = options.explore if iteration > 1 else 0.0
        seed = seed_of(options, iteration, at)
        static = options.oracle == "static"
        self.trainer.learn(order, found.heads, found.label_ids, explore, seed, options.margin, static)

    def count(self) -> None:
        self.trainer.count_features()


_MANY_TREES, _MINIBATCH = 10_000, 4


def minibatch_for(trees: int) -> int:
    """As large as costs no accuracy: weights that are some sentences old matter where there are few sentences."""
    return _MINIBATCH if trees >= _MANY_TREES else 1


def in_minibatches(order: np.ndarray[Any, Any], sizes: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    """The same sentences, every n of about the same size, so that no thread waits long for another.

    Minibatches stand in the order of their first sentences in `order`, and so do the sentences of one.
    """
    by_size = np.argsort(sizes[order], kind="stable")
    batches = [np.sort(by_size[first : first + n]) for first in range(0, len(order), n)]
    whole = [batch for batch in batches if len(batch) == n]
    rest = [batch for batch in batches if len(batch) < n]  # at most one, which goes last: the others begin at multiples
    places = [*sorted(whole, key=lambda batch: int(batch[0])), *rest]
    return np.ascontiguousarray(order[np.concatenate(places)]) if places else order


def named(system: System) -> dict[str, Any]:
    """A system, as a description names it."""
    return {"system": system.name, "options": dict(system.options), "recipe": _recipe_of(system)}


def _recipe_of(system: System) -> dict[str, Any] | None:
    """How a composed system is composed."""
    if system.name in ROWS:
        return None
    found = recipe(system)
    return {**found, "moves": [[name, steps] for name, steps in found["moves"].items()]}
