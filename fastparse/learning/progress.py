"""What a training reports while it runs."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass

__all__ = ["ComponentDone", "ComponentPass", "Interrupted", "IterationDone", "Message", "Passing", "Scores",
           "duration", "peak_memory"]  # fmt: skip


def duration(seconds: float) -> str:
    """'42 s', '3:05 min', '2:07 h'."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"


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
    """A training that ends early and keeps the best so far."""


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
class ComponentPass:
    """The end of a pass over the treebank of a component besides the parser."""

    name: str
    number: int
    of: int
    seconds_left: float

    def __str__(self) -> str:
        return f"{self.name}: round {self.number}/{self.of}, {duration(self.seconds_left)} left"


@dataclass(frozen=True)
class Passing:
    """How far a pass over the treebank is; reported some times a second."""

    iteration: int
    iterations: int
    sentences: int
    of_sentences: int
    words_per_second: float
    seconds_left: float
    unit: str = "iteration"

    def __str__(self) -> str:
        return (
            f"{self.unit} {self.iteration}/{self.iterations}: {self.sentences:,}/{self.of_sentences:,} sentences, "
            f"{self.words_per_second:,.0f} words/s, {duration(self.seconds_left)} left"
        )


@dataclass(frozen=True)
class IterationDone:
    """The end of a pass.

    Attributes:
        updates: how often the weights were changed.
        features: in both tables; of an encoder, its parameters.
        seconds: of learning; without evaluation.
        memory: the most the process has held, in bytes; 0 if not known.
        scores: on the development treebank; None without one.
        best: whether this is the best iteration so far.
        seconds_left: of learning that is still to come.
        unit, counted: what a pass is called, and what is learnt.
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
    unit: str = "iteration"
    counted: str = "features"

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
            f"{self.unit} {self.iteration}/{self.iterations}: {self.updates:,} updates, {self.features:,} "
            f"{self.counted}, {duration(self.seconds)}{memory}{scores}{left}"
        )
