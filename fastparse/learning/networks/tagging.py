"""Networks that read words alone and say their tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.inputs import FIRST, UNKNOWN
from fastparse.learning.networks.course import Course
from fastparse.learning.networks.learner import Examples, Learner
from fastparse.learning.networks.network import Network
from fastparse.learning.networks.plan import Plan
from fastparse.learning.networks.shapes import Shape
from fastparse.learning.networks.targets import TAGS, split_tags
from fastparse.learning.networks.train import new_network

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.networks.vectors import Vectors

__all__ = ["scores_of_tags", "train_tagger"]

_RARE = 0.5  # a form that occurs so often is forgotten every other time


class _TaggerLearner(Learner):
    """Forgets forms the more often the rarer they are: what is learnt of their affixes is what unknown ones have."""

    def __init__(self, network: Network, examples: Examples, plan: Plan, teachers: Sequence[Network] = ()) -> None:
        super().__init__(network, examples, plan, teachers)
        counts = np.bincount(examples.rows[:, 0], minlength=network.inputs.sizes()["form"])
        self._rates = _RARE / (counts + _RARE)
        self._rates[:FIRST] = 0

    def _thin(self, ids: np.ndarray[Any, Any], source: Any) -> None:
        super()._thin(ids, source)
        ids[source.random(len(ids)) < self._rates[ids[:, 0]], 0] = UNKNOWN


def train_tagger(
    treebank: Treebank, shape: Shape, plan: Plan, dev: Treebank | None = None, threads: int = 1,
    report: Callable[[Any], object] = print, vectors: Vectors | None = None, teachers: Sequence[Network] = (),
) -> Network:  # fmt: skip
    """A network that reads words alone and says their tags.

    Args:
        shape, plan: sizes without a parser; plan.outputs says which columns.
        vectors: of words, see `new_network`.
        dev: to report scores on, and to keep the best round by; without it the last one is kept.
    """
    plan = replace(plan, with_tags=False, dropout=replace(plan.dropout, given=0.0))
    network, examples = new_network(None, treebank, shape, plan, vectors=vectors)
    course = Course(network, examples, plan, dev, threads)
    course.learners = [_TaggerLearner(network, examples, plan, teachers) for _ in course.learners]
    course.run(report)
    return network


def scores_of_tags(network: Network) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Weights and biases of the classes of TAGS: what an output of these says and what those of their columns say.

    All outputs are linear in a word's state, so their sum is one more of them.
    """
    assert network.outputs is not None
    weights = network.arrays[f"output.{TAGS}.weight"].copy()
    bias = network.arrays[f"output.{TAGS}.offset"].copy()
    parts = [split_tags(tags) for tags in network.outputs[TAGS]]
    for column, strings in network.outputs.items():
        if column != TAGS:
            number = {string: i for i, string in enumerate(strings)}
            which = np.array([number[part[column]] for part in parts])
            weights += network.arrays[f"output.{column}.weight"][which]
            bias += network.arrays[f"output.{column}.offset"][which]
    return weights, bias
