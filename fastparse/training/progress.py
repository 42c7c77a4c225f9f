"""What a training reports while it runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass

__all__ = ["ComponentDone", "ComponentPass", "Interrupted", "IterationDone", "Message", "Passing", "duration",
           "peak_memory"]  # fmt: skip


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
    """

    name: str
    seconds: float
    scores: dict[str, float]

    def __str__(self) -> str:
        scores = " ".join(f"{name} {score:.2f}" for name, score in self.scores.items())
        return f"{self.name}: {duration(self.seconds)}{f', dev {scores}' if scores else ''}"


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

    def __str__(self) -> str:
        return (
            f"iteration {self.iteration}/{self.iterations}: {self.sentences:,}/{self.of_sentences:,} sentences, "
            f"{self.words_per_second:,.0f} words/s, {duration(self.seconds_left)} left"
        )


@dataclass(frozen=True)
class IterationDone:
    """The end of a pass.

    Attributes:
        updates: how often the weights were changed.
        features: in both tables.
        seconds: of learning; without evaluation.
        memory: the most the process has held, in bytes; 0 if not known.
        uas, las: on the development treebank, every word and full labels, in per cent; None without one.
        best: whether this is the best iteration so far.
    """

    iteration: int
    iterations: int
    updates: int
    features: int
    seconds: float
    memory: int
    uas: float | None
    las: float | None
    best: bool

    def __str__(self) -> str:
        scores = (
            "" if self.las is None else f", dev UAS {self.uas:.2f} LAS {self.las:.2f}{' (best)' if self.best else ''}"
        )
        memory = f", {self.memory / 2**20:,.0f} MB" if self.memory else ""
        return (
            f"iteration {self.iteration}/{self.iterations}: {self.updates:,} updates, {self.features:,} features, "
            f"{duration(self.seconds)}{memory}{scores}"
        )
