"""A training, iteration by iteration: the order of sentences, the best weights so far, checkpoints, interruptions."""

from __future__ import annotations

import os
import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.training.checkpoint import Progress, read_checkpoint, write_checkpoint
from fastparse.training.progress import Interrupted, IterationDone, Message, Passing, Scores, peak_memory

if TYPE_CHECKING:
    from fastparse.training.development import Development
    from fastparse.training.learner import Learner
    from fastparse.training.options import TrainingOptions
    from fastparse.training.preparation import Trees
    from fastparse.training.recipes.recipe import Arrays, MeanRecipe, Report

__all__ = ["Course", "learn"]

_SENTENCES_AT_A_TIME = 64  # between looks at the clock and at signals; greedy exploration is seeded per such part
_SECONDS_BETWEEN_REPORTS = 0.25

Path = str | os.PathLike[str] | None


def learn(
    recipe: MeanRecipe, options: TrainingOptions, development: Development | None, checkpoint: Path,
    identity: dict[str, Any], report: Report,
) -> tuple[Arrays, dict[str, Any]]:  # fmt: skip
    """The weights of the best iteration, or the mean of several runs; and what the model's record says of them.

    Args:
        checkpoint: a file to go on from, and to bring up to date; for several runs, the beginning of their names.
        identity: what a training must agree in to go on from there, besides the number of iterations.
    """
    if options.runs > 1:
        return _mean(recipe, options, development, checkpoint, identity, report)
    course = Course(recipe.learner(options), recipe.trees, options, development, report)
    course.run(checkpoint, identity)
    progress = course.progress
    return progress.arrays, {"iterations": progress.iterations, "best_iteration": progress.best}


def _mean(
    recipe: MeanRecipe, options: TrainingOptions, development: Development | None, checkpoint: Path,
    identity: dict[str, Any], report: Report,
) -> tuple[Arrays, dict[str, Any]]:  # fmt: skip
    """Averages the weights after the last iteration of each run."""
    parts, rows, best = [], [], 0
    for run in range(options.runs):
        own = replace(options, seed=options.seed + run, max_bytes=None)
        report(Message(f"run {run + 1} of {options.runs}, seed {own.seed}"))
        learner = recipe.learner(own)
        course = Course(learner, recipe.trees, own, development, report)
        mine = None if checkpoint is None else f"{os.fspath(checkpoint)}.{run + 1}"
        course.run(mine, {**identity, "training": {**identity["training"], "seed": own.seed}})
        parts.append(learner.part(options))
        rows += course.progress.iterations
        best = course.progress.best
    arrays = recipe.mean(parts)
    record: dict[str, Any] = {"iterations": rows, "best_iteration": best}
    if development is not None:
        scores = development.scores(arrays)
        record["mean"] = {"runs": options.runs, **scores.to_dict()}
        report(Message(f"mean of {options.runs} runs: dev {scores}"))
    return arrays, record


class Course:
    """One training.

    Attributes:
        progress: how far it is, with the weights of the best iteration.
    """

    def __init__(
        self, learner: Learner, trees: Trees, options: TrainingOptions, development: Development | None, report: Report
    ) -> None:
        """Args: development: to choose the best iteration by; None takes the last one."""
        self.learner, self.options, self.report = learner, options, report
        self.development = development
        self.progress = Progress()
        self._words = np.diff(trees.offsets)
        self._updates = 0

    def run(self, checkpoint: Path, identity: dict[str, Any]) -> None:
        """Learn to the end, or until Ctrl-C after the first iteration; then `progress` has the best weights."""
        options, learner = self.options, self.learner
        same = {**identity, "training": {k: v for k, v in identity["training"].items() if k != "iterations"}}
        if checkpoint is not None:
            self.progress = read_checkpoint(checkpoint, same, learner) or self.progress
        source = random.Random(options.seed)
        order = list(range(len(self._words)))
        for iteration in range(1, options.iterations + 1):
            source.shuffle(order)
            if iteration <= self.progress.done:
                continue
            try:
                self._iterate(np.array(order, np.int64), iteration)
            except KeyboardInterrupt:
                if not self.progress.best:
                    raise
                self.report(Interrupted(f"Interrupted in iteration {iteration}; the best is {self.progress.best}."))
                break
            if checkpoint is not None:
                write_checkpoint(checkpoint, same, self.progress, learner)
        if not self.progress.arrays:
            # Without a development treebank the last pass is the best one, as far as it got.
            self.progress.arrays = learner.arrays()

    def _iterate(self, order: np.ndarray[Any, Any], iteration: int) -> None:
        begun = last = time.perf_counter()
        words_done, words = 0, int(self._words.sum())
        passes_left = self.options.iterations - iteration
        for at in range(0, len(order), _SENTENCES_AT_A_TIME):
            part = order[at : at + _SENTENCES_AT_A_TIME]
            self.learner.learn(part, iteration, at)
            words_done += int(self._words[part].sum())
            now = time.perf_counter()
            if now - last >= _SECONDS_BETWEEN_REPORTS:
                last = now
                speed = words_done / (now - begun)
                left = (words - words_done + words * passes_left) / speed
                done = min(at + _SENTENCES_AT_A_TIME, len(order))
                unit = self.learner.unit
                self.report(Passing(iteration, self.options.iterations, done, len(order), speed, left, unit))
        self._finish(iteration, time.perf_counter() - begun)

    def _finish(self, iteration: int, seconds: float) -> None:
        progress, iterations = self.progress, self.options.iterations
        state = self.learner.tally()
        updates, self._updates = state.updates - self._updates, state.updates
        row: dict[str, Any] = {"updates": updates, "features": state.features}
        arrays = self.learner.arrays() if self.development is not None else {}
        scores = None
        best = True
        if self.development is not None:
            scores = self.development.scores(arrays)
            best = scores.chosen_by > max((_scores_in(row).chosen_by for row in progress.iterations), default=-1.0)
            row |= scores.to_dict()
        progress.iterations.append(row)
        progress.done, progress.clock = iteration, state.clock
        if best:
            progress.best, progress.arrays = iteration, arrays
        self.report(
            IterationDone(
                iteration, iterations, updates, state.features, seconds, peak_memory(), scores,
                best and scores is not None, seconds * (iterations - iteration), self.learner.unit,
                self.learner.counted,
            )
        )  # fmt: skip


def _scores_in(row: dict[str, Any]) -> Scores:
    return Scores(row.get("uas", 0.0), row.get("las", 0.0), row.get("own_uas"), row.get("own_las"))
