"""Learning three-step search: plain search for projective trees with anchors, then both passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastparse.features.attributes import mirrored_values
from fastparse.features.templates import TemplateSet, load_templates, with_passes
from fastparse.learning.anchors import anchored, with_anchors
from fastparse.learning.course import CountedCourse, Shuffled, Tally, seed_of
from fastparse.learning.linear import PlainRecipe
from fastparse.learning.preparation import Derivations, derived
from fastparse.learning.progress import Interrupted, Message
from fastparse.learning.systems import family_templates
from fastparse.learning.tables import (
    FINER,
    Rows,
    TableLearner,
    fitting,
    mean_arrays,
    mean_of,
    restore_tables,
    rows_of,
    state_of,
)
from fastparse.learning.trainers import PassTrainer
from fastparse.model.sections import PARSER
from fastparse.search.decoder import Decoder
from fastparse.search.kinds import PASSES, THREE_STEP, ThreeStep, described_steps
from fastparse.trees.mirroring import backwards, mirrored_heads
from fastparse.weights.arrays import arrays_of, tables_from
from fastparse.weights.learning import LearningTable

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.features.attributes import Values
    from fastparse.learning.course import Arrays
    from fastparse.learning.development import Development
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Account, Trees
    from fastparse.learning.steps import Training
    from fastparse.machine.system import System
    from fastparse.search.kinds import ThreeStep
    from fastparse.weights.table import CompiledTable

__all__ = ["Passes", "ThreeStepRecipe", "part_of_pass"]


class ThreeStepRecipe(PlainRecipe):
    """See `Recipe`. Course and scores are those of the first step.

    Attributes:
        trees, derivations, values: of the first step: with anchors, and mirrored if it goes from right to left.
        anchored_trees, gold_trees: with anchors, and without.
    """

    search: ClassVar = ThreeStep
    kind: ThreeStep

    def __init__(
        self, treebank: Treebank, system: System, options: TrainingOptions, account: Account, threads: int = 1,
        *, steps: Mapping[str, Any],
    ) -> None:  # fmt: skip
        """Args: steps, the options of the three-step system."""
        self.steps = steps
        super().__init__(treebank, system, options, account, threads)
        self._values_of_passes = self.values
        if self.kind.mirrored:
            self.values = mirrored_values(self.values, self.trees.offsets)

    def learner(self, options: TrainingOptions) -> TableLearner:
        return super().learner(_first_step(options))

    def decoder(self, arrays: Arrays) -> Decoder:
        weights = tables_from(arrays, self.kind.engine_forms)
        return Decoder(self.kind, weights, self.kind.first_step(weights))

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        return anchored(treebank, self.steps["anchors"])

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> Arrays:
        return mean_arrays(parts, self.kind.engine_forms, _first_step(self.options))

    def finish(
        self, arrays: Arrays, development: Development | None, training: Training
    ) -> tuple[Decoder, dict[str, Any]]:
        passes = Passes(self.kind, self._values_of_passes, self.anchored_trees, self.gold_trees)
        found = passes.learn(self.options, training)
        record: dict[str, Any] = {"passes": passes.rows}
        decoder = Decoder(self.kind, self.kind.weights(arrays | found))
        if development is not None:
            scores = development.final(decoder)
            record["steps"] = scores.to_dict()
            training.report(Message(f"all three steps: dev {scores}"))
        return decoder, record

    def _prepared(self, found: Trees, account: Account) -> tuple[Trees, Derivations]:
        steps = self.steps
        self.gold_trees, self.anchored_trees = with_anchors(
            found, self.options.outside, account, steps["anchors"], steps["put"] == "label"
        )
        first = self.anchored_trees
        if steps["direction"] == "right-to-left":
            offsets, ids = first.offsets, first.label_ids
            first = replace(first, heads=mirrored_heads(first.heads, offsets), label_ids=ids[backwards(offsets)])
        # Trees with anchors are projective: none is left out.
        return derived(first, self.system, self.options.outside, account)

    def _templates(self) -> TemplateSet:
        return with_passes(load_templates(self.options.templates or family_templates(THREE_STEP)))

    def _named(self) -> dict[str, Any]:
        return {"system": THREE_STEP, "options": described_steps(self.steps), "recipe": None}


def _first_step(options: TrainingOptions) -> TrainingOptions:
    """The options of the first step: the size of a model is shared with the passes."""
    if options.max_bytes is None:
        return options
    return replace(options, max_bytes=max(1024, options.max_bytes - 2 * share_of_pass(options.max_bytes)))


_SHARES = 16


def share_of_pass(max_bytes: int) -> int:
    """Of a model's bytes, those of each pass; the rest is for the first step."""
    return max_bytes // _SHARES


class Passes:
    """Both passes, learnt one after the other.

    Attributes:
        values, trees, gold: what is learnt from.
        rows: what the model records of each round, by pass.
    """

    def __init__(self, kind: ThreeStep, values: Values, trees: Trees, gold: Trees) -> None:
        """Args:
        trees: with anchors, as the first pass begins.
        gold: the same sentences, without.
        """
        self.kind, self.values, self.trees, self.gold = kind, values, trees, gold
        self.rows: dict[str, list[dict[str, Any]]] = {}
        heads = gold.heads
        word = np.arange(len(heads), dtype=np.int64) - np.repeat(trees.offsets[:-1], np.diff(trees.offsets)) + 1
        moved = heads != trees.heads
        leftward = moved & (heads > word)
        self.wanted = {
            "left": np.where(leftward, heads, -1).astype(np.int32),
            "right": np.where(moved & (heads < word), heads, -1).astype(np.int32),
        }
        self.starts = {
            "left": (trees.heads, trees.label_ids),
            "right": (
                np.where(leftward, heads, trees.heads).astype(np.int32),
                np.where(leftward, gold.label_ids, trees.label_ids).astype(np.int32),
            ),
        }

    def learn(self, options: TrainingOptions, training: Training) -> Arrays:
        """The weights of both passes; with several runs the mean of theirs.

        Ctrl-C ends learning: what has been learnt is kept, and a pass that had not begun leaves trees as they are.
        """
        limit = None if options.max_bytes is None else max(1024, share_of_pass(options.max_bytes))
        options = replace(options, max_bytes=limit)
        made: dict[str, list[dict[str, Rows]]] = {}
        interrupted = False
        for side, run in ((side, run) for side in PASSES for run in range(options.runs)):
            own = replace(options, seed=options.seed + run)
            learner, rows = _PassLearner(self, side, own), self.rows.setdefault(side, [])
            if not interrupted:
                place = training.begin(*part_of_pass(side, run, own))
                course = CountedCourse(learner, options.rounds, training, place)
                try:
                    course.run()
                except KeyboardInterrupt:
                    if training.interrupts.heard > 1:
                        raise
                    interrupted, number = True, course.progress.done + 1
                    course.progress.iterations.append(course.row())
                    training.cut_short = {"in": f"{side} pass", "iteration": number, "iterations": options.rounds}
                    said = f"Interrupted in round {number} of the {side} pass; what has been learnt by then is kept."
                    training.report(Interrupted(said))
                rows += course.progress.iterations
            made[side] = [*made.get(side, ()), learner.rows(own)]
        tables: dict[str, CompiledTable] = {}
        for side, runs in made.items():
            tables |= fitting(runs[0] if len(runs) == 1 else mean_of(runs), self.kind.pass_forms(side), options)
        return arrays_of(tables)


def part_of_pass(side: str, run: int, options: TrainingOptions) -> tuple[str, str]:
    """What a training calls it: its step, and which part of that it is."""
    return PARSER, f"{side} pass" + (f", run {run + 1} of {options.runs}" if options.runs > 1 else "")


class _PassLearner:
    """See `CountedLearner`. A round is one piece: exploration is seeded for all of it."""

    def __init__(self, passes: Passes, side: str, options: TrainingOptions) -> None:
        self._passes, self._side, self._options = passes, side, options
        trees = passes.trees
        self.tables = {form.name: LearningTable(form.width) for form in passes.kind.pass_forms(side)}
        engine = passes.kind.pass_engine(side, self.tables)
        self._trainer = PassTrainer(engine, passes.values, trees.offsets, len(trees.labels))
        self.sizes = np.diff(trees.offsets)
        self._order = Shuffled(range(len(self.sizes)), options.seed, max(1, len(self.sizes)))

    def pieces(self, number: int) -> Sequence[np.ndarray[Any, Any]]:
        return self._order.pieces(number)

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        passes, options = self._passes, self._options
        self._trainer.learn(
            order, *passes.starts[self._side], passes.gold.heads, passes.wanted[self._side], passes.gold.label_ids,
            options.explore if iteration > 1 else 0.0, seed_of(options.seed, iteration, 0), options.margin,
        )  # fmt: skip

    @property
    def clock(self) -> int:
        return int(self._trainer.clock)

    @clock.setter
    def clock(self, now: int) -> None:
        self._trainer.clock = now

    def tally(self) -> Tally:
        features = sum(table.n_features for table in self.tables.values())
        return Tally(int(self._trainer.n_updates), features, self.clock)

    def rows(self, options: TrainingOptions) -> dict[str, Rows]:
        """The averaged weights of now; finer ones if there are several runs."""
        return rows_of(self.tables, self.clock, options, 1 if options.runs == 1 else FINER)

    def state(self) -> Arrays:
        return state_of(self.tables)

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        restore_tables(self.tables, state)
