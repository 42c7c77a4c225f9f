"""What a training asks of a recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.compiling import Rows
    from fastparse.learning.development import Development
    from fastparse.learning.learner import Learner, TableLearner
    from fastparse.learning.options import TrainingOptions
    from fastparse.learning.preparation import Trees
    from fastparse.search.decoder import Decoder
    from fastparse.search.kinds import Kind

__all__ = ["Arrays", "MeanRecipe", "Recipe", "Report"]

Arrays = dict[str, np.ndarray[Any, Any]]
Report = Callable[[Any], object]


class Recipe(Protocol):
    """Learning for one kind of search, from one treebank.

    `fastparse.learning.course.Course` goes through the iterations with the recipe's learner, and its decoder tells how
    good the weights are; what a kind learns besides comes at the end.

    Attributes:
        trees: what is learnt from.
    """

    trees: Trees

    @property
    def kind(self) -> Kind:
        """The search that weights are learnt for."""
        ...

    def learner(self, options: TrainingOptions) -> Learner:
        """A new one, which has learnt nothing."""
        ...

    def decoder(self, arrays: Arrays) -> Decoder:
        """What parses with the learner's weights."""
        ...

    def gold(self, treebank: Treebank) -> np.ndarray[Any, Any]:
        """The heads that the learner's weights should give a treebank."""
        ...

    def finish(self, arrays: Arrays, development: Development | None, report: Report) -> tuple[Decoder, dict[str, Any]]:
        """The parser with these weights and all else it needs, and what its record says of that."""
        ...


class MeanRecipe(Recipe, Protocol):
    """A recipe whose weights can be averaged over several runs."""

    def learner(self, options: TrainingOptions) -> TableLearner: ...

    def mean(self, parts: Sequence[Mapping[str, Rows]]) -> Arrays:
        """The arrays of the mean of what several learners have learnt."""
        ...
