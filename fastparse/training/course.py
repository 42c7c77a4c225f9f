"""A training, iteration by iteration: order of sentences, scores, the best weights so far, checkpoints, interruptions."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.training.checkpoint import Progress, read_checkpoint, write_checkpoint
from fastparse.training.progress import Interrupted, IterationDone, Passing, peak_memory

if TYPE_CHECKING:
    from fastparse.training.learner import Learner
    from fastparse.training.options import TrainingOptions

__all__ = ["Course"]

_SENTENCES_AT_A_TIME = 64  # between looks at the clock and at signals; greedy exploration is seeded per such part
_SECONDS_BETWEEN_REPORTS = 0.25

Scores = Callable[[dict[str, np.ndarray[Any, Any]]], tuple[float, float]]


class Course:
    """One training.

    Attributes:
        progress: how far it is, with the weights of the best iteration.
    """

    def __init__(
        self, learner: Learner, words: np.ndarray[Any, Any], options: TrainingOptions, scores: Scores | None,
        report: Callable[[Any], object],
    ) -> None:  # fmt: skip
        """Args:
        words: in each sentence.
        scores: UAS and LAS of arrays of weights, by which the best iteration is chosen; None takes the last one.
        """
        self.learner, self.words, self.options = learner, words, options
        self.scores, self.report = scores, report
        self.progress = Progress()

    def run(self, checkpoint: str | os.PathLike[str] | None, identity: dict[str, Any]) -> None:
        """Learn to the end, or until Ctrl-C after the first iteration; then `progress` has the best weights.

        Args:
            checkpoint: a file to go on from, and to bring up to date.
            identity: what a training must agree in to go on from there, besides the number of iterations.
        """
        options, learner = self.options, self.learner
        same = {**identity, "training": {k: v for k, v in identity["training"].items() if k != "iterations"}}
        if checkpoint is not None:
            self.progress = read_checkpoint(checkpoint, same, learner) or self.progress
        source = random.Random(options.seed)
        order = list(range(len(self.words)))
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
        updates = self.learner.n_updates
        begun = last = time.perf_counter()
        words_done, words = 0, int(self.words.sum())
        passes_left = self.options.iterations - iteration
        for at in range(0, len(order), _SENTENCES_AT_A_TIME):
            part = order[at : at + _SENTENCES_AT_A_TIME]
            self.learner.learn(part, iteration, at)
            words_done += int(self.words[part].sum())
            now = time.perf_counter()
            if now - last >= _SECONDS_BETWEEN_REPORTS:
                last = now
                speed = words_done / (now - begun)
                left = (words - words_done + words * passes_left) / speed
                done = min(at + _SENTENCES_AT_A_TIME, len(order))
                self.report(Passing(iteration, self.options.iterations, done, len(order), speed, left))
        self._finish(iteration, self.learner.n_updates - updates, time.perf_counter() - begun)

    def _finish(self, iteration: int, updates: int, seconds: float) -> None:
        progress, iterations = self.progress, self.options.iterations
        row: dict[str, Any] = {"updates": updates, "features": self.learner.n_features}
        arrays = self.learner.arrays() if self.scores is not None or iteration == iterations else {}
        uas = las = None
        best = True
        if self.scores is not None:
            uas, las = self.scores(arrays)
            best = las > max((row["las"] for row in progress.iterations), default=-1.0)
            row |= {"uas": uas, "las": las}
        progress.iterations.append(row)
        progress.done, progress.clock = iteration, self.learner.clock
        if best:
            progress.best, progress.arrays = iteration, arrays
        self.report(
            IterationDone(
                iteration, iterations, updates, row["features"], seconds, peak_memory(), uas, las,
                best and las is not None,
            )
        )  # fmt: skip
