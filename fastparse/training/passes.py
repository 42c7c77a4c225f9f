"""The second and third step of the three-step system: treebanks with anchors, and learning both passes."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.model.compiled import CompiledTable
from fastparse.model.learning import LearningTable
from fastparse.search.description import PASSES
from fastparse.training.compiling import Rows, averages, compiled, compiled_mean
from fastparse.training.three_step import PassTrainer
from fastparse.trees.lifting.projectivizing import anchors_treebank

if TYPE_CHECKING:
    from fastparse.search.description import Description
    from fastparse.training.options import TrainingOptions
    from fastparse.training.preparation import Prepared

__all__ = ["PassesLearner", "first_step_options"]

# Of max_bytes, the share of each pass; the rest is for the first step.
_SHARE = 16


def first_step_options(options: TrainingOptions) -> TrainingOptions:
    """The options of the first step: a model's size is shared with the passes."""
    if options.max_bytes is None:
        return options
    return replace(options, max_bytes=max(1024, options.max_bytes - 2 * (options.max_bytes // _SHARE)))


class PassesLearner:
    """Learns the passes from gold trees, after the first step and apart from it."""

    def __init__(self, description: Description, prepared: Prepared, values: Any) -> None:
        self.description, self.prepared, self.values = description, prepared, values
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self.interrupted = ""
        gold = prepared.gold_heads
        word = np.arange(len(gold), dtype=np.int64) - np.repeat(prepared.offsets[:-1], np.diff(prepared.offsets)) + 1
        moved = gold != prepared.heads
        self.wanted = {
            "left": np.where(moved & (gold > word), gold, -1).astype(np.int32),
            "right": np.where(moved & (gold < word), gold, -1).astype(np.int32),
        }
        between = np.where(self.wanted["left"] > 0, gold, prepared.heads).astype(np.int32)
        self.starts = {"left": prepared.heads, "right": between}

    def tables(self, options: TrainingOptions, seeds: range) -> list[CompiledTable]:
        """The weights of both passes, put and dist of each; with several seeds the mean of their weights.

        Ctrl-C ends learning: what has been learnt is kept, a pass that had not begun leaves trees as they are, and
        `interrupted` says where that was.
        """
        made: list[CompiledTable] = []
        limit = None if options.max_bytes is None else max(1024, options.max_bytes // _SHARE)
        options = replace(options, max_bytes=limit)
        for side in PASSES:
            parts: list[list[Rows]] = []
            for seed in seeds:
                learnt, trainer = self._learn(side, replace(options, seed=seed))
                if len(seeds) == 1:
                    made += compiled(*learnt, trainer.clock, options, for_moves=(True, True))
                else:
                    parts.append(averages(*learnt, trainer.clock, options))
            if parts:
                made += compiled_mean(parts, learnt, options, for_moves=(True, True))
        return made

    def _learn(self, side: str, options: TrainingOptions) -> tuple[tuple[LearningTable, LearningTable], PassTrainer]:
        prepared, tables = self.prepared, (LearningTable(1), LearningTable(1))
        engine = self.description.pass_engine(side, *tables)
        trainer = PassTrainer(engine, self.values, prepared.offsets, len(self.description.labels))
        source = random.Random(options.seed)
        order = list(range(len(prepared.offsets) - 1))
        rows = self.rows.setdefault(side, [])
        for iteration in range(1, options.iterations + 1):
            if self.interrupted:
                break
            source.shuffle(order)
            updates = trainer.n_updates
            seed = (options.seed * 1000 + iteration << 32) + 1
            try:
                trainer.learn(
                    np.array(order, np.int64), self.starts[side], prepared.label_ids, prepared.gold_heads,
                    self.wanted[side], options.explore if iteration > 1 else 0.0, seed & 0xFFFFFFFFFFFFFFFF,
                    options.margin,
                )  # fmt: skip
            except KeyboardInterrupt:
                self.interrupted = f"iteration {iteration} of the {side} pass"
            rows.append({"updates": trainer.n_updates - updates, "features": sum(table.n_features for table in tables)})
        return tables, trainer


def anchored(heads: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The heads with anchors for non-projective ones, where sentences are trees; others stay as they are."""
    return anchors_treebank(heads, offsets)
