"""One training, iteration by iteration: the order of sentences, the best weights so far, checkpoints, interruptions."""

from __future__ import annotations

import os
import random
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.learning.checkpoint import Progress, read_checkpoint, write_checkpoint
from fastparse.learning.progress import Interrupted, IterationDone, Message, Passing, Scores, peak_memory

if TYPE_CHECKING:
    from fastparse.learning.development import Development
    from fastparse.learning.learner import Learner
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Trees
    from fastparse.learning.recipes.recipe import Report

__all__ = ["Course", "Path"]

_SENTENCES_AT_A_TIME = 64  # between looks at the clock and at signals; greedy exploration is seeded per such part
_SECONDS_BETWEEN_REPORTS = 0.25

Path = str | os.PathLike[str] | None


class Course:
    """One training.

    Attributes:
        progress: how far it is, with the weights of the best iteration.
    """

    def __init__(
        self, learner: Learner, trees: Trees, options: TrainingOptions, development: Development | None,
        report: Report, turns: AbstractContextManager[Any] | None = None,
    ) -> None:  # fmt: skip
        """Args:
        development: to choose the best iteration by; None takes the last one.
        turns: entered for each piece of work, by a training beside others.
        """
        self.learner, self.options, self.report = learner, options, report
        self._turns = turns or nullcontext()
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
        self._say_what_is_left_out()

    def _say_what_is_left_out(self) -> None:
        """What the limit of size has cost, after the last iteration."""
        unlimited = self.learner.unlimited()
        if unlimited is None or self.options.max_bytes is None:
            return
        whole = sum(array.nbytes for array in unlimited.values())
        said = f"{self.options.max_bytes / 1e6:.1f} of {whole / 1e6:.1f} MB of weights are kept, those that matter most"
        if self.development is not None:
            scores, kept = self.development.scores(unlimited), _scores_in(self.progress.iterations[-1])
            self.progress.iterations[-1]["unlimited"] = {"bytes": whole, **scores.to_dict()}
            said += f": LAS {kept.las:.2f} in the last {self.learner.unit}, {scores.las:.2f} with all of them"
        self.report(Message(said))

    def _iterate(self, order: np.ndarray[Any, Any], iteration: int) -> None:
        begun = last = time.perf_counter()
        words_done, words = 0, int(self._words.sum())
        passes_left = self.options.iterations - iteration
        for at in range(0, len(order), _SENTENCES_AT_A_TIME):
            part = order[at : at + _SENTENCES_AT_A_TIME]
            with self._turns:
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
        with self._turns:
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
