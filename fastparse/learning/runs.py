"""Trainings of a recipe: one, or several at the same time whose weights are averaged."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastparse.learning.course import ParserCourse
from fastparse.learning.progress import Begun, Message, Passing, Place
from fastparse.model.sections import PARSER

if TYPE_CHECKING:
    from fastparse.learning.course import Arrays, MeanRecipe, Report
    from fastparse.learning.development import Development
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.steps import Training

__all__ = ["learn", "part_of_run"]


def part_of_run(run: int, runs: int) -> str:
    """What a training calls one of several runs, from 0."""
    return f"run {run + 1} of {runs}"


def learn(
    recipe: MeanRecipe, options: TrainingOptions, development: Development | None, training: Training, threads: int = 1
) -> tuple[Arrays, dict[str, Any]]:
    """The weights of the best round, or the mean of several runs; and what the model's record says of them.

    Ctrl-C after the first round ends learning with the best so far.

    Args:
        threads: on which several runs are learnt at the same time; they change no byte and no report.
    """
    if options.runs > 1:
        return _mean(recipe, options, development, training, threads)
    course = ParserCourse(recipe.learner(options), options, training, training.begin(PARSER), development, keeps=True)
    course.run(recipe.kind.description.to_dict())
    progress = course.progress
    return progress.arrays, {"iterations": progress.iterations, "best_iteration": progress.best}


def _mean(
    recipe: MeanRecipe, options: TrainingOptions, development: Development | None, training: Training, threads: int
) -> tuple[Arrays, dict[str, Any]]:
    """Averages the weights after the last round of each run."""

    def one(run: int, place: Place, report: Report, turns: Turns | None) -> tuple[Any, ParserCourse]:
        own = replace(options, seed=options.seed + run, max_bytes=None)
        with turns or nullcontext():
            learner = recipe.learner(own)
        course = ParserCourse(learner, own, training, place, development, keeps=True, turns=turns, report=report)
        course.run(recipe.kind.description.to_dict())
        return learner.part(options), course

    if threads == 1:
        found = []
        for run in range(options.runs):
            try:
                found.append(one(run, training.begin(PARSER, part_of_run(run, options.runs)), training.report, None))
            except KeyboardInterrupt:
                if not found or training.interrupts.heard > 1:
                    raise
                training.cut_short = {"in": f"{PARSER}, {part_of_run(run, options.runs)}", "iteration": 1}
                training.report(Message(f"run {run + 1} is left out: it has no whole round"))
                break
            if found[-1][1].interrupted:
                break
    else:
        found = _together(one, options.runs, training, threads)
    rows = [row for _, course in found for row in course.progress.iterations]
    arrays = recipe.mean([part for part, _ in found])
    record: dict[str, Any] = {"iterations": rows, "best_iteration": found[-1][1].progress.best}
    if development is not None:
        scores = development.scores(arrays)
        record["mean"] = {"runs": len(found), **scores.to_dict()}
        training.report(Message(f"mean of {len(found)} runs: dev {scores}"))
    return arrays, record


def _together(one: Callable[..., Any], runs: int, training: Training, threads: int) -> list[Any]:
    """What each run gives; Ctrl-C ends all of them."""
    turns, reports, begun = Turns(threads), InOrder(training.report, runs), threading.Event()
    first = training.begin(PARSER, part_of_run(0, runs))
    places = [replace(first, part=part_of_run(run, runs)) for run in range(runs)]

    def run(number: int) -> Any:
        begun.wait()
        try:
            if number:
                reports.say(number, Begun(places[number]))
            return one(number, places[number], lambda event: reports.say(number, event), turns)
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
