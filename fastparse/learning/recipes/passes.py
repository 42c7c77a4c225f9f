"""Learning the second and third step of the three-step system, from gold trees and apart from the first."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.learning.compiling import FINER, Rows, fitting, mean_of, rows_of
from fastparse.learning.learner import seed_of
from fastparse.learning.trainers.three_step import PassTrainer
from fastparse.search.kinds import PASSES
from fastparse.weights.arrays import arrays_of
from fastparse.weights.learning import LearningTable

if TYPE_CHECKING:
    from fastparse.features.attributes import Values
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Trees
    from fastparse.learning.recipes.recipe import Arrays
    from fastparse.search.kinds import ThreeStep
    from fastparse.weights.table import CompiledTable

__all__ = ["PassesLearner", "share_of_pass"]

_SHARES = 16


def share_of_pass(max_bytes: int) -> int:
    """Of a model's bytes, those of each pass; the rest is for the first step."""
    return max_bytes // _SHARES


class PassesLearner:
    """Learns both passes, one after the other.

    Attributes:
        rows: what the model records of each iteration, by pass.
        interrupted: where Ctrl-C ended learning: what has been learnt is kept, and a pass that had not begun leaves
            trees as they are.
    """

    def __init__(self, kind: ThreeStep, values: Values, trees: Trees, gold: Trees) -> None:
        """Args:
        trees: with anchors, as the first pass begins.
        gold: the same sentences, without.
        """
        self._kind, self._values, self._trees, self._gold = kind, values, trees, gold
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self.interrupted = ""
        heads = gold.heads
        word = np.arange(len(heads), dtype=np.int64) - np.repeat(trees.offsets[:-1], np.diff(trees.offsets)) + 1
        moved = heads != trees.heads
        leftward = moved & (heads > word)
        self._wanted = {
            "left": np.where(leftward, heads, -1).astype(np.int32),
            "right": np.where(moved & (heads < word), heads, -1).astype(np.int32),
        }
        self._starts = {
            "left": (trees.heads, trees.label_ids),
            "right": (
                np.where(leftward, heads, trees.heads).astype(np.int32),
                np.where(leftward, gold.label_ids, trees.label_ids).astype(np.int32),
            ),
        }

    def arrays(self, options: TrainingOptions) -> Arrays:
        """The weights of both passes; with several runs the mean of theirs."""
        limit = None if options.max_bytes is None else max(1024, share_of_pass(options.max_bytes))
        options = replace(options, max_bytes=limit)
        made: dict[str, CompiledTable] = {}
        for side in PASSES:
            runs = [self._learn(side, replace(options, seed=options.seed + run)) for run in range(options.runs)]
            made |= fitting(runs[0] if len(runs) == 1 else mean_of(runs), self._kind.pass_forms(side), options)
        return arrays_of(made)

    def _learn(self, side: str, options: TrainingOptions) -> dict[str, Rows]:
        tables = {form.name: LearningTable(form.width) for form in self._kind.pass_forms(side)}
        engine = self._kind.pass_engine(side, tables)
        trainer = PassTrainer(engine, self._values, self._trees.offsets, len(self._trees.labels))
        source = random.Random(options.seed)
        order = list(range(len(self._trees.treebank)))
        rows = self.rows.setdefault(side, [])
        starts, labels = self._starts[side]
        for iteration in range(1, options.iterations + 1):
            if self.interrupted:
                break
            source.shuffle(order)
            updates = trainer.n_updates
            try:
                trainer.learn(
                    np.array(order, np.int64), starts, labels, self._gold.heads, self._wanted[side],
                    self._gold.label_ids, options.explore if iteration > 1 else 0.0, seed_of(options, iteration, 0),
                    options.margin,
                )  # fmt: skip
            except KeyboardInterrupt:
                self.interrupted = f"iteration {iteration} of the {side} pass"
            features = sum(table.n_features for table in tables.values())
            rows.append({"updates": trainer.n_updates - updates, "features": features})
        return rows_of(tables, trainer.clock, options, 1 if options.runs == 1 else FINER)
