"""What a training reports while it runs."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass

__all__ = ["Begun", "ComponentDone", "Interrupted", "IterationDone", "Message", "Passing", "Place", "Scores", "about",
           "duration", "peak_memory"]  # fmt: skip


def duration(seconds: float) -> str:
    """'42 s', '3:05 min', '2:07 h'."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"


def about(seconds: float) -> str:
    """'42 s', '6 min', '2:07 h'."""
    return f"{round(seconds / 60)} min" if 60 <= round(seconds) < 3600 else duration(seconds)


def peak_memory() -> int:
    """The most memory the process has held so far, in bytes; 0 where that is not known."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@dataclass(frozen=True)
class Scores:
    """Of a parser on a development treebank, every word and full labels, in per cent.

    Attributes:
        own_uas, own_las: with a tagger's tags; None without them.
    """

    uas: float
    las: float
    own_uas: float | None = None
    own_las: float | None = None

    @property
    def chosen_by(self) -> float:
        """What the best of several has most of."""
        return self.las if self.own_las is None else (self.las + self.own_las) / 2

    def to_dict(self) -> dict[str, float]:
        """For JSON; without what there is not."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def __str__(self) -> str:
        own = "" if self.own_las is None else f", with own tags UAS {self.own_uas:.2f} LAS {self.own_las:.2f}"
        return f"UAS {self.uas:.2f} LAS {self.las:.2f}{own}"


@dataclass(frozen=True)
class Message:
    """Something a user should know before learning begins."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Interrupted(Message):
    """A training that ends early: with the best parser so far, or without a model."""


@dataclass(frozen=True)
class ComponentDone:
    """A component besides the parser that has been learnt.

    Attributes:
        seconds: of learning.
        scores: on the development treebank, in per cent; empty without one.
        of: what the scores are of.
    """

    name: str
    seconds: float
    scores: dict[str, float]
    of: str = "dev"

    def __str__(self) -> str:
        scores = " ".join(f"{name} {score:.2f}" for name, score in self.scores.items())
        return f"{self.name}: {duration(self.seconds)}{f', {self.of} {scores}' if scores else ''}"


@dataclass(frozen=True)
class Place:
    """What a training learns at the moment.

    Attributes:
        step: its name, such as "tagger".
        part: of the step, such as "teacher 1 of 2"; empty if it has no parts.
        number, of: of the step among all; 0 if they are not counted.
    """

    step: str
    part: str = ""
    number: int = 0
    of: int = 0

    @property
    def name(self) -> str:
        """Step and part."""
        return f"{self.step}, {self.part}" if self.part else self.step

    def __str__(self) -> str:
        return f"{self.number} of {self.of}: {self.name}" if self.of else self.name


@dataclass(frozen=True)
class Begun:
    """The beginning of a step, or of one of its parts."""

    place: Place

    def __str__(self) -> str:
        return str(self.place)


@dataclass(frozen=True)
class Passing:
    """How far a round is; reported some times a second.

    Attributes:
        sentences, of_sentences: that are learnt; of the tokenizer and the lemmatizer, what they learn from.
        seconds_left: of the step.
        all_left: of the whole training; None if nothing comes after this.
    """

    iteration: int
    iterations: int
    sentences: int
    of_sentences: int
    words_per_second: float
    seconds_left: float
    all_left: float | None = None
    place: Place = Place("parser")

    def __str__(self) -> str:
        everything = "" if self.all_left is None else f"; in all {about(self.all_left)}"
        return (
            f"{self.place}, round {self.iteration} of {self.iterations}, {duration(self.seconds_left)} left{everything}"
        )


@dataclass(frozen=True)
class IterationDone:
    """The end of a round of a parser.

    Attributes:
        updates: how often the weights were changed.
        features: in both tables; of an encoder, its parameters.
        seconds: of learning; without evaluation.
        memory: the most the process has held, in bytes; 0 if not known.
        scores: on the development treebank; None without one.
        best: whether this is the best iteration so far.
        seconds_left: of learning that is still to come.
        counted: what is learnt.
        place: what it is a round of.
    """

    iteration: int
    iterations: int
    updates: int
    features: int
    seconds: float
    memory: int
    scores: Scores | None
    best: bool
    seconds_left: float = 0.0
    counted: str = "features"
    place: Place = Place("parser")

    @property
    def uas(self) -> float | None:
        return None if self.scores is None else self.scores.uas

    @property
    def las(self) -> float | None:
        return None if self.scores is None else self.scores.las

    def __str__(self) -> str:
        scores = "" if self.scores is None else f", dev {self.scores}{' (best)' if self.best else ''}"
        left = f", {duration(self.seconds_left)} left" if self.seconds_left else ""
        memory = f", {self.memory / 2**20:,.0f} MB" if self.memory else ""
        return (
            f"{self.place.name}, round {self.iteration} of {self.iterations}: {self.updates:,} updates, "
            f"{self.features:,} {self.counted}, {duration(self.seconds)}{memory}{scores}{left}"
        )
