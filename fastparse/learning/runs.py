"""Trainings of a recipe: one, or several at the same time whose weights are averaged."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastparse.learning.course import Course
from fastparse.learning.progress import Message, Passing

if TYPE_CHECKING:
    from fastparse.learning.course import Path
    from fastparse.learning.development import Development
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.recipes.recipe import Arrays, MeanRecipe, Report

__all__ = ["learn"]


def learn(
    recipe: MeanRecipe, options: TrainingOptions, development: Development | None, checkpoint: Path,
    identity: dict[str, Any], report: Report, threads: int = 1,
) -> tuple[Arrays, dict[str, Any]]:  # fmt: skip
    """The weights of the best iteration, or the mean of several runs; and what the model's record says of them.

    Args:
        checkpoint: a file to go on from, and to bring up to date; for several runs, the beginning of their names.
        identity: what a training must agree in to go on from there, besides the number of iterations.
        threads: on which several runs are learnt at the same time; they change no byte and no report.
    """
    if options.runs > 1:
        return _mean(recipe, options, development, checkpoint, identity, report, threads)
    course = Course(recipe.learner(options), recipe.trees, options, development, report)
    course.run(checkpoint, identity)
    progress = course.progress
    return progress.arrays, {"iterations": progress.iterations, "best_iteration": progress.best}


def _mean(
    recipe: MeanRecipe, options: TrainingOptions, development: Development | None, checkpoint: Path,
    identity: dict[str, Any], report: Report, threads: int,
) -> tuple[Arrays, dict[str, Any]]:  # fmt: skip
    """Averages the weights after the last iteration of each run."""

    def one(run: int, report: Report, turns: Turns | None) -> tuple[Any, Course]:
        own = replace(options, seed=options.seed + run, max_bytes=None)
        report(Message(f"run {run + 1} of {options.runs}, seed {own.seed}"))
        with turns or nullcontext():
            learner = recipe.learner(own)
        course = Course(learner, recipe.trees, own, development, report, turns)
        mine = None if checkpoint is None else f"{os.fspath(checkpoint)}.{run + 1}"
        course.run(mine, {**identity, "training": {**identity["training"], "seed": own.seed}})
        return learner.part(options), course

    if threads == 1:
        found = [one(run, report, None) for run in range(options.runs)]
    else:
        found = _together(one, options.runs, report, threads)
    rows = [row for _, course in found for row in course.progress.iterations]
    arrays = recipe.mean([part for part, _ in found])
    record: dict[str, Any] = {"iterations": rows, "best_iteration": found[-1][1].progress.best}
    if development is not None:
        scores = development.scores(arrays)
        record["mean"] = {"runs": options.runs, **scores.to_dict()}
        report(Message(f"mean of {options.runs} runs: dev {scores}"))
    return arrays, record


def _together(one: Callable[..., Any], runs: int, report: Report, threads: int) -> list[Any]:
    """What each run gives; Ctrl-C ends all of them."""
    turns, reports, begun = Turns(threads), InOrder(report, runs), threading.Event()

    def run(number: int) -> Any:
        begun.wait()
        try:
            return one(number, lambda event: reports.say(number, event), turns)
        finally:
            reports.done(number)

    work: list[Future[Any]] = []
    with ThreadPoolExecutor(runs) as pool:
        try:
            work += (pool.submit(run, number) for number in range(runs))
            begun.set()
            wait(work, return_when=FIRST_EXCEPTION)
        except KeyboardInterrupt:  # it is for them
            if len(work) < runs:
                raise
        finally:
            turns.interrupt()  # whoever is not at the end
            begun.set()
            wait(work)
    errors = [error for done in work if (error := done.exception()) is not None]
    for error in errors:
        if not isinstance(error, KeyboardInterrupt):
            raise error
    return [done.result() for done in work]


class Turns:
    """Lets so many threads work at a time, in the order in which they ask: a context for each piece of work."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()
        self._interrupted = False

    def __enter__(self) -> None:
        mine = None
        with self._lock:
            if self._free:
                self._free -= 1
            else:
                mine = threading.Lock()
                mine.acquire()
                self._waiting.append(mine)
        if mine is not None:
            mine.acquire()  # until somebody hands over
        if self._interrupted:
            self.__exit__()
            raise KeyboardInterrupt

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1

    def interrupt(self) -> None:
        """Whoever asks for a turn from now on gets a KeyboardInterrupt."""
        self._interrupted = True


class InOrder:
    """Reports of several runs as they would come one after the other: those of a later one wait for the earlier."""

    def __init__(self, report: Report, runs: int) -> None:
        self._report = report
        self._kept: list[list[Any]] = [[] for _ in range(runs)]
        self._done = [False] * runs
        self._heard = 0  # the run whose reports are passed on at once
        self._lock = threading.Lock()

    def say(self, run: int, event: Any) -> None:
        with self._lock:
            if run == self._heard:
                self._report(event)
            elif not isinstance(event, Passing):
                self._kept[run].append(event)

    def done(self, run: int) -> None:
        with self._lock:
            self._done[run] = True
            while self._heard < len(self._done) and self._done[self._heard]:
                self._heard += 1
                for event in self._kept[self._heard] if self._heard < len(self._kept) else ():
                    self._report(event)
