"""The steps of a training, one component after the other: which one it is at, how long it takes, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.learning.checkpoint import Checkpoint
from fastparse.learning.progress import Begun, Interrupted, Place

if TYPE_CHECKING:
    from fastparse.learning.networks.network import Network

__all__ = ["Cost", "Interrupts", "Report", "Training", "keep_network", "restored_network"]

Report = Callable[[Any], object]


class Cost(NamedTuple):
    """What a part of a step is expected to cost.

    Attributes:
        step, part: as of `Place`.
        seconds: on some machine: parts are compared by this, and what the first ones take tells what the others will.
    """

    step: str
    part: str
    seconds: float


class Interrupts:
    """Ctrl-C: the first lets the piece end that is being learnt, the second ends everything at once.

    A context of the main thread, elsewhere nothing changes; nor does it where others handle the signal.

    Attributes:
        heard: how often Ctrl-C has come.
    """

    def __init__(self) -> None:
        self.heard = 0
        self._learning = self._owed = False

    def __enter__(self) -> Interrupts:
        self._ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._ours:
            signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _hear(self, number: int, frame: object) -> None:
        self.heard += 1
        if self._learning and self.heard == 1:
            self._owed = True
        else:
            raise KeyboardInterrupt

    @contextmanager
    def piece(self) -> Iterator[None]:
        """Something that has to end before what it changes can be used."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._learning = True
        try:
            yield
        finally:
            self._learning = False
        if self._owed:
            self._owed = False
            raise KeyboardInterrupt


class Training:
    """What the parts of one training share.

    Attributes:
        report: called with what happens.
        checkpoint: what the parts have learnt so far.
        interrupts: Ctrl-C.
        cut_short: where Ctrl-C ended the learning of a parser that is kept; None if it has not.
    """

    def __init__(
        self, report: Report = lambda event: None, checkpoint: Checkpoint | None = None,
        interrupts: Interrupts | None = None,
    ) -> None:  # fmt: skip
        """One of a single part, until `expect` tells of others."""
        self.report, self.checkpoint = report, checkpoint or Checkpoint()
        self.interrupts = interrupts or Interrupts()
        self.cut_short: dict[str, Any] | None = None
        self._costs: list[Cost] = []
        self._steps: list[str] = []
        self._at = -1
        self._place: Place | None = None
        self._round = ""
        self._begun = 0.0
        self._spent = self._paid = 0.0  # seconds and costs of parts that have been learnt here

    def expect(self, costs: Sequence[Cost]) -> None:
        """What there is to learn: all parts in their order."""
        self._costs, self._steps = list(costs), list(dict.fromkeys(cost.step for cost in costs))

    def begin(self, step: str, part: str = "") -> Place:
        """The next part to be learnt; reported."""
        self._end()
        found = (k for k, cost in enumerate(self._costs) if (cost.step, cost.part) == (step, part))
        self._at = next(found, -1)
        counted = (self._steps.index(step) + 1, len(self._steps)) if step in self._steps else (0, 0)
        self._place, self._round, self._begun = Place(step, part, *counted), "", time.perf_counter()
        self.report(Begun(self._place))
        return self._place

    def _end(self) -> None:
        if self._at >= 0:
            self._spent += time.perf_counter() - self._begun
            self._paid += self._costs[self._at].seconds
        self._at = -1

    def at(self, number: int, of: int) -> None:
        """The round that is learnt now."""
        self._round = f", round {number} of {of}"

    def left(self, seconds: float) -> tuple[float, float | None]:
        """Seconds until the step is learnt, and until all are; None if this is the last part.

        Args:
            seconds: until this part is.
        """
        if self._at < 0 or self._at == len(self._costs) - 1:
            return seconds, None
        here = self._costs[self._at]
        spent = self._spent + time.perf_counter() - self._begun + seconds
        pace = spent / max(1e-9, self._paid + here.seconds)
        later = self._costs[self._at + 1 :]
        step = seconds + pace * sum(cost.seconds for cost in later if cost.step == here.step)
        return step, seconds + pace * sum(cost.seconds for cost in later)

    def interrupted(self) -> Interrupted:
        """What to report when Ctrl-C ends the training without a model."""
        where = "" if self._place is None else f" in {self._place}{self._round}"
        kept = self.checkpoint.names
        if kept:
            said = f"{os.fspath(self.checkpoint.path or '')} keeps what has been learnt of {'; '.join(kept)}"
            said += ": the same training goes on from there"
        elif self.checkpoint.path is None:
            said = "With a checkpoint (--checkpoint FILE) a training can go on where it was"
        else:
            said = "There was nothing for the checkpoint to keep yet"
        return Interrupted(f"Interrupted{where}: there is no model. {said}.")


def keep_network(network: Network, checkpoint: Checkpoint, name: str) -> None:
    """Keeps a network that is learnt, for `restored_network`."""
    checkpoint.put(name, {"whole": True}, {"numbers": network.numbers.view(np.uint32)})


def restored_network(network: Network, checkpoint: Checkpoint, name: str) -> bool:
    """Whether the checkpoint has it whole; then it gets the numbers."""
    kept = checkpoint.get(name)
    if kept is None or "whole" not in kept.header:
        return False
    with checkpoint.usable():
        numbers = kept.arrays["numbers"]
        if numbers.shape != network.numbers.shape or numbers.dtype != np.dtype("<u4"):
            raise ValueError(f"the network of {name} has another shape")
        network.numbers[:] = numbers.astype(np.uint32).view(np.float32)
    return True
