"""Learning easy-first search, which finds the order of arcs while it learns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastparse.learning.learner import TableLearner
from fastparse.learning.preparation import Derivations, derived
from fastparse.learning.recipes.plain import PlainRecipe
from fastparse.learning.trainers.easy_first import EasyFirstTrainer
from fastparse.search.kinds import EasyFirst

if TYPE_CHECKING:
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Account, Trees

__all__ = ["EasyFirstRecipe"]


class EasyFirstRecipe(PlainRecipe):
    """See `Recipe`."""

    search: ClassVar = EasyFirst

    def learner(self, options: TrainingOptions) -> TableLearner:
        return EasyFirstLearner(self, options)

    def _prepared(self, found: Trees, account: Account) -> tuple[Trees, Derivations]:
        # Arc-standard builds the same trees.
        return derived(found, self.system, self.options.outside, account, like="arc-standard")


class EasyFirstLearner(TableLearner):
    """A right arc must win over every wrong one; features are not counted, so weights are dropped by size alone."""

    def __init__(self, made: EasyFirstRecipe, options: TrainingOptions) -> None:
        super().__init__(made.kind.engine_forms, options)
        self._engine = made.kind.engine(self.tables)
        self._trees = made.trees
        self.trainer = EasyFirstTrainer(self._engine, made.values, made.trees.offsets)

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        self.trainer.learn(order, self._trees.heads, self._trees.label_ids, self.options.margin)
