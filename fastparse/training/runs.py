"""One training, or several with successive seeds whose weights are averaged."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.training.course import Course
from fastparse.training.progress import Message

if TYPE_CHECKING:
    from fastparse.training.development import Development
    from fastparse.training.learner import Learner
    from fastparse.training.options import TrainingOptions
    from fastparse.training.recipes.recipe import Arrays, MeanRecipe, Recipe, Report

__all__ = ["learn"]

Path = str | os.PathLike[str] | None


def learn(
    recipe: MeanRecipe, options: TrainingOptions, development: Development | None, checkpoint: Path,
    identity: dict[str, Any], report: Report,
) -> tuple[Arrays, dict[str, Any]]:  # fmt: skip
    """The weights of the best iteration, or the mean of several runs; and what the model's record says of them."""
    if options.runs > 1:
        return _mean(recipe, options, development, checkpoint, identity, report)
    course = _course(recipe, recipe.learner(options), options, development, report)
    course.run(checkpoint, identity)
    progress = course.progress
    return progress.arrays, {"iterations": progress.iterations, "best_iteration": progress.best}


def _course(
    recipe: Recipe, learner: Learner, options: TrainingOptions, development: Development | None, report: Report
) -> Course:
    words = np.diff(recipe.trees.offsets)
    if development is None:
        return Course(learner, words, options, None, report)
    gold = recipe.gold(development.treebank)
    return Course(learner, words, options, lambda arrays: development.scores(recipe.decoder(arrays), gold), report)


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
        course = _course(recipe, learner, own, development, report)
        mine = None if checkpoint is None else f"{os.fspath(checkpoint)}.{run + 1}"
        course.run(mine, {**identity, "training": {**identity["training"], "seed": own.seed}})
        parts.append(learner.part(options))
        rows += course.progress.iterations
        best = course.progress.best
    arrays = recipe.mean(parts)
    record: dict[str, Any] = {"iterations": rows, "best_iteration": best}
    if development is not None:
        uas, las = development.scores(recipe.decoder(arrays), recipe.gold(development.treebank))
        record["mean"] = {"runs": options.runs, "uas": uas, "las": las}
        report(Message(f"mean of {options.runs} runs: dev UAS {uas:.2f} LAS {las:.2f}"))
    return arrays, record
