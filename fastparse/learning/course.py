"""The course that every component is learnt in: rounds over examples, with progress, checkpoints and interruptions."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from fastparse.learning.progress import Interrupted, IterationDone, Message, Passing, Place, Scores, peak_memory
from fastparse.learning.steps import Report, Training

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.checkpoint import Part
    from fastparse.learning.development import Development
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Trees
    from fastparse.learning.tables import Rows, TableLearner
    from fastparse.search.decoder import Decoder
    from fastparse.search.kinds import Kind

__all__ = [
    "Arrays", "CountedCourse", "CountedLearner", "Course", "Learner", "MeanRecipe", "ParserCourse", "ParserLearner",
    "Progress", "Recipe", "Report", "Shuffled", "Tally", "seed_of",
]  # fmt: skip

_SENTENCES_AT_A_TIME = 64  # between looks at the clock and at signals; greedy exploration is seeded per such part
_SECONDS_BETWEEN_REPORTS = 0.25

Arrays = dict[str, np.ndarray[Any, Any]]


# ── what learns ──


class Learner(Protocol):
    """What a component learns with.

    Attributes:
        sizes: how much each example counts, for progress: words, if examples are sentences.
        clock: a number that a training which goes on has to set.
    """

    sizes: np.ndarray[Any, Any]
    clock: int

    def pieces(self, number: int) -> Sequence[np.ndarray[Any, Any]]:
        """The numbers of the examples of a round, from 1, in the order in which they are learnt, some at a time."""
        ...

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> object:
        """The examples of `order`, which stand at place `at` of a round."""
        ...

    def state(self) -> Arrays:
        """What a training needs to go on, besides the clock."""
        ...

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Go on from there; raises ValueError, KeyError or TypeError if that cannot be."""
        ...


class Tally(NamedTuple):
    """How far learning is.

    Attributes:
        updates: how often weights were changed since the learner was made.
        features: how many have been learnt.
        clock: the time of the weights.
    """

    updates: int
    features: int
    clock: int


class CountedLearner(Learner, Protocol):
    """Weights while they are learnt."""

    def tally(self) -> Tally:
        """How far learning is."""
        ...


class ParserLearner(CountedLearner, Protocol):
    """The weights of a parser while they are learnt.

    Attributes:
        counted: what is learnt.
    """

    counted: str

    def arrays(self) -> Arrays:
        """The weights of now as a model file holds them; learning can go on."""
        ...

    def unlimited(self) -> Arrays | None:
        """The same without a limit of size; None where that leaves nothing out."""
        ...


class Recipe(Protocol):
    """Learning for one kind of search, from one treebank: what a kind learns besides its weights comes at the end.

    Attributes:
        trees: what is learnt from.
    """

    trees: Trees

    @property
    def kind(self) -> Kind:
        """The search that weights are learnt for."""
        ...

    def learner(self, options: TrainingOptions) -> ParserLearner:
        """A new one, which has learnt nothing."""
        ...

    def decoder(self, arrays: Arrays) -> Decoder:
        """What parses with the learner's weights."""
        ...

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        """The heads that the learner's weights should give a treebank."""
        ...

    def finish(
        self, arrays: Arrays, development: Development | None, training: Training
    ) -> tuple[Decoder, dict[str, Any]]:
        """The parser with these weights and all else it needs, and what its record says of that."""
        ...


class MeanRecipe(Recipe, Protocol):
    """A recipe whose weights can be averaged over several runs."""

    def learner(self, options: TrainingOptions) -> TableLearner: ...

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> Arrays:
        """The arrays of the mean of what several learners have learnt."""
        ...


def seed_of(seed: int, iteration: int, at: int) -> int:
    """Of the random numbers for the sentences from place `at` of an iteration on."""
    return (seed * 1000 + iteration << 32) + at + 1 & 0xFFFFFFFFFFFFFFFF


class Shuffled:
    """Examples in another order in each round; the seed decides."""

    def __init__(self, examples: Iterable[int], seed: int, at_a_time: int | None = None) -> None:
        """Args: at_a_time: examples of a piece; None: sentences, as many as are learnt at a time."""
        self._order, self._random = list(examples), random.Random(seed)
        self._rounds, self._size = 0, at_a_time or _SENTENCES_AT_A_TIME

    def pieces(self, number: int) -> list[np.ndarray[Any, Any]]:
        """The examples of a round, which comes after those that have been asked for, or is the last of these."""
        while self._rounds < number:
            self._random.shuffle(self._order)
            self._rounds += 1
        order = np.array(self._order, np.int64)
        return [order[at : at + self._size] for at in range(0, len(order), self._size)]


# ── courses ──


@dataclass
class Progress:
    """How far a course is.

    Attributes:
        done: rounds.
        clock: of the learner.
        iterations: of a parser, what the model records of each.
        best: of a parser, the best one, counted from 1.
        arrays: of a parser, the weights of the best one.
    """

    done: int = 0
    clock: int = 1
    iterations: list[dict[str, Any]] = field(default_factory=list)
    best: int = 0
    arrays: Arrays = field(default_factory=dict)


class Course:
    """The rounds of one learner. Ctrl-C leaves it by a KeyboardInterrupt."""

    def __init__(
        self, learner: Learner, rounds: int, training: Training, place: Place,
        turns: AbstractContextManager[Any] | None = None, report: Report | None = None,
    ) -> None:  # fmt: skip
        """Args:
        place: what is learnt, which is also its name in the checkpoint.
        turns: entered for each piece of work, by a course beside others.
        report: instead of the training's.
        """
        self.learner, self.rounds, self.training, self.place = learner, rounds, training, place
        self.report = report or training.report
        self._turns = turns or nullcontext()
        self.progress = Progress()

    def run(self, identity: dict[str, Any] | None = None) -> None:
        """Learn to the end, from where the checkpoint says.

        Args:
            identity: what the part of the checkpoint must agree in, besides all of it.
        """
        self._go_on(identity or {})
        while self.progress.done < self.rounds:
            self._learn(self.progress.done + 1)
            self._keep(identity or {})

    def _go_on(self, identity: dict[str, Any]) -> None:
        checkpoint = self.training.checkpoint
        part = checkpoint.get(self.place.name)
        if part is None:
            return
        checkpoint.require(part.header.get("identity"), identity)
        with checkpoint.usable():
            self.progress = self._restored(part)
            self.learner.restore({name: array for name, array in part.arrays.items() if not name.startswith(_BEST)})
            self.learner.clock = self.progress.clock

    def _restored(self, part: Part) -> Progress:
        """What a checkpoint says of the course; raises KeyError, TypeError or ValueError if that cannot be."""
        found = part.header
        progress = Progress(found["done"], found["clock"])
        _require_number("done", progress.done, 10**9)
        _require_number("clock", progress.clock, 2**62)
        return progress

    def _keep(self, identity: dict[str, Any]) -> None:
        checkpoint, progress = self.training.checkpoint, self.progress
        if checkpoint.path is None:
            return
        header = {
            "identity": identity, "done": progress.done, "clock": progress.clock, "iterations": progress.iterations,
            "best": progress.best,
        }  # fmt: skip
        best = {f"{_BEST}{name}": array for name, array in progress.arrays.items()}
        checkpoint.put(self.place.name, header, best | self.learner.state())

    def _learn(self, number: int) -> None:
        """One round."""
        learner, training = self.learner, self.training
        training.at(number, self.rounds)
        begun = last = time.perf_counter()
        pieces = learner.pieces(number)
        sizes = [int(learner.sizes[piece].sum()) for piece in pieces]
        done, words, at, n = 0, sum(sizes), 0, sum(map(len, pieces))
        for piece, size in zip(pieces, sizes, strict=True):
            with self._turns, training.interrupts.piece():
                learner.learn(piece, number, at)
            at, done = at + len(piece), done + size
            now = time.perf_counter()
            if now - last >= _SECONDS_BETWEEN_REPORTS:
                last = now
                speed = done / (now - begun)
                left, everything = training.left((words - done + words * (self.rounds - number)) / max(1e-9, speed))
                self.report(Passing(number, self.rounds, at, n, speed, left, everything, self.place))
        with self._turns:
            self._finish(number, time.perf_counter() - begun)

    def _finish(self, number: int, seconds: float) -> None:
        self.progress.done, self.progress.clock = number, self.learner.clock


_BEST = "best."


class CountedCourse(Course):
    """The rounds of learnt weights, each of which is recorded: `progress.iterations`."""

    learner: CountedLearner

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._updates = 0

    def _finish(self, number: int, seconds: float) -> None:
        self.progress.iterations.append(self.row())
        super()._finish(number, seconds)

    def row(self) -> dict[str, Any]:
        """What the last round changed, or as much of it as has been learnt."""
        state = self.learner.tally()
        updates, self._updates = state.updates - self._updates, state.updates
        return {"updates": updates, "features": state.features}

    def _restored(self, part: Part) -> Progress:
        progress, rows = super()._restored(part), part.header["iterations"]
        if not isinstance(rows, list) or len(rows) != progress.done or not all(isinstance(row, dict) for row in rows):
            raise ValueError(f"there are not records of {progress.done} iterations")
        for row in rows:
            if not all(isinstance(row[name], int) for name in ("updates", "features")) or not all(
                isinstance(row.get(name, 0.0), (int, float)) for name in ("uas", "las")
            ):
                raise ValueError("the record of an iteration is not what it must be")
        progress.iterations = rows
        return progress


class ParserCourse(CountedCourse):
    """The rounds of a parser, the best of which is kept.

    Attributes:
        progress: how far it is, with the weights of the best round.
        interrupted: whether Ctrl-C has ended it after its first round.
    """

    learner: ParserLearner

    def __init__(
        self, learner: ParserLearner, options: TrainingOptions, training: Training, place: Place,
        development: Development | None = None, *, keeps: bool = False,
        turns: AbstractContextManager[Any] | None = None, report: Report | None = None,
    ) -> None:  # fmt: skip
        """Args:
        development: to choose the best round by; None takes the last one.
        keeps: whether Ctrl-C after the first round ends learning with the best so far.
        """
        super().__init__(learner, options.rounds, training, place, turns, report)
        self.options, self.development, self._keeps = options, development, keeps
        self.interrupted = False

    def run(self, identity: dict[str, Any] | None = None) -> None:
        """Learn to the end, or until Ctrl-C after the first round; then `progress` has the best weights."""
        try:
            super().run(identity)
        except KeyboardInterrupt:
            progress = self.progress
            if not (self._keeps and progress.best) or self.training.interrupts.heard > 1:
                raise
            self.interrupted, number = True, progress.done + 1
            self.training.cut_short = {"in": self.place.name, "iteration": number, "iterations": self.rounds}
            self.report(
                Interrupted(f"Interrupted in round {number} of {self.rounds} of the {self.place.name}; the best is "
                            f"{progress.best}.")
            )  # fmt: skip
        if not self.progress.arrays:
            # Without a development treebank the last round is the best one, as far as it got.
            self.progress.arrays = self.learner.arrays()
        self._say_what_is_left_out()

    def _say_what_is_left_out(self) -> None:
        """What the limit of size has cost, after the last round."""
        unlimited = self.learner.unlimited()
        if unlimited is None or self.options.max_bytes is None:
            return
        whole = sum(array.nbytes for array in unlimited.values())
        said = f"{self.options.max_bytes / 1e6:.1f} of {whole / 1e6:.1f} MB of weights are kept, those that matter most"
        if self.development is not None:
            scores, kept = self.development.scores(unlimited), _scores_in(self.progress.iterations[-1])
            self.progress.iterations[-1]["unlimited"] = {"bytes": whole, **scores.to_dict()}
            said += f": LAS {kept.las:.2f} in the last round, {scores.las:.2f} with all of them"
        self.report(Message(said))

    def _finish(self, number: int, seconds: float) -> None:
        progress, row = self.progress, self.row()
        arrays = self.learner.arrays() if self.development is not None else {}
        scores = None
        best = True
        if self.development is not None:
            scores = self.development.scores(arrays)
            best = scores.chosen_by > max((_scores_in(row).chosen_by for row in progress.iterations), default=-1.0)
            row |= scores.to_dict()
        progress.iterations.append(row)
        Course._finish(self, number, seconds)
        if best:
            progress.best, progress.arrays = number, arrays
        self.report(
            IterationDone(
                number, self.rounds, row["updates"], row["features"], seconds, peak_memory(), scores,
                best and scores is not None, seconds * (self.rounds - number), self.learner.counted, self.place,
            )
        )  # fmt: skip

    def _restored(self, part: Part) -> Progress:
        progress = super()._restored(part)
        progress.best = part.header["best"]
        _require_number("best", progress.best, progress.done)
        best = {name: array for name, array in part.arrays.items() if name.startswith(_BEST)}
        progress.arrays = {name.removeprefix(_BEST): np.array(array) for name, array in best.items()}
        return progress


def _require_number(name: str, value: Any, most: int) -> None:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{name} is {value!r:.40}, expected a number from 0 to {most}")


def _scores_in(row: dict[str, Any]) -> Scores:
    return Scores(row.get("uas", 0.0), row.get("las", 0.0), row.get("own_uas"), row.get("own_las"))
