"""What learns: weights that change, sentence by sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from fastparse.learning.compiling import FINER, Rows, compiled, fits, fitting, mean_of, rows_of
from fastparse.weights.arrays import arrays_of
from fastparse.weights.learning import STATE, LearningTable

if TYPE_CHECKING:
    from fastparse.learning.options import TrainingOptions
    from fastparse.weights.arrays import Form

__all__ = ["Learner", "TableLearner", "Tally", "mean_arrays", "seed_of"]

Arrays = dict[str, np.ndarray[Any, Any]]


def seed_of(options: TrainingOptions, iteration: int, at: int) -> int:
    """Of the random numbers for the sentences from place `at` of an iteration on."""
    return (options.seed * 1000 + iteration << 32) + at + 1 & 0xFFFFFFFFFFFFFFFF


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


class Learner(Protocol):
    """The weights of a model while they are learnt.

    Attributes:
        unit, counted: what a pass over the treebank is called in reports, and what is learnt.
        clock: the time of the weights, which a training that goes on has to set.
    """

    unit: str
    counted: str
    clock: int

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        """The sentences of `order`, which stand at place `at` of an iteration."""
        ...

    def tally(self) -> Tally:
        """How far learning is."""
        ...

    def arrays(self) -> Arrays:
        """The weights of now as a model file holds them; learning can go on."""
        ...

    def unlimited(self) -> Arrays | None:
        """The same without a limit of size; None where that leaves nothing out."""
        ...

    def state(self) -> Arrays:
        """What a training needs to go on, besides the clock."""
        ...

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Go on from there; raises ValueError, KeyError or TypeError if that cannot be."""
        ...


class TableLearner(ABC):
    """A `Learner` of averaged weights in tables.

    Attributes:
        tables: by name.
        trainer: that learns them; it has a clock and counts its updates.
    """

    unit = "iteration"
    counted = "features"

    def __init__(self, forms: Sequence[Form], options: TrainingOptions) -> None:
        self.forms, self.options = forms, options
        self.tables = {form.name: LearningTable(form.width) for form in forms}
        self.trainer: Any = None

    @abstractmethod
    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        """See `Learner`."""

    def count(self) -> None:  # noqa: B027
        """Count features, for models of limited size; without that all weigh the same."""

    @property
    def clock(self) -> int:
        return int(self.trainer.clock)

    @clock.setter
    def clock(self, now: int) -> None:
        self.trainer.clock = now

    def tally(self) -> Tally:
        features = sum(table.n_features for table in self.tables.values())
        return Tally(int(self.trainer.n_updates), features, self.clock)

    def arrays(self) -> Arrays:
        if self._fits():
            return self._all()
        self.count()
        return arrays_of(compiled(self.tables, self.clock, self.forms, self.options))

    def unlimited(self) -> Arrays | None:
        return None if self._fits() else self._all()

    def _fits(self) -> bool:
        limit = self.options.max_bytes
        return limit is None or fits(rows_of(self.tables, self.clock, self._free()), self.forms, self.options)

    def _all(self) -> Arrays:
        return arrays_of(compiled(self.tables, self.clock, self.forms, self._free()))

    def _free(self) -> TrainingOptions:
        return replace(self.options, max_bytes=None)

    def part(self, options: TrainingOptions) -> dict[str, Rows]:
        """This run's part in the mean of several."""
        if options.max_bytes is not None:
            self.count()
        return rows_of(self.tables, self.clock, options, FINER)

    def state(self) -> Arrays:
        return {f"{name}.{part}": a for name, table in self.tables.items() for part, a in table.state().items()}

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        for name, table in self.tables.items():
            found = {part: np.ascontiguousarray(state[f"{name}.{part}"]) for part in STATE}
            try:
                table.restore({part: array.astype(STATE[part], casting="equiv") for part, array in found.items()})
            except (ValueError, TypeError) as error:
                raise ValueError(f"the weights of {name} do not fit together: {error}") from None


def mean_arrays(parts: Sequence[Mapping[str, Rows]], forms: Sequence[Form], options: TrainingOptions) -> Arrays:
    """The arrays of the mean of several runs."""
    return arrays_of(fitting(mean_of(parts), forms, options))
