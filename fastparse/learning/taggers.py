"""Learning a tagger, and the tags that parsers learn from: said of sentences that a tagger has not learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.annotate.components import TAGGER
from fastparse.encoder.arrays import stored
from fastparse.encoder.checking_tags import CLASSES
from fastparse.encoder.floats import Sample
from fastparse.encoder.inputs import FIRST, UNKNOWN
from fastparse.encoder.quantise import in_pieces, quantised
from fastparse.encoder.tagger import Tagger
from fastparse.learning.course import Course
from fastparse.learning.networks.examples import TAGS, class_numbers, columns_with_tags, new_network, split_tags
from fastparse.learning.networks.export import exported
from fastparse.learning.networks.gradients import Examples, Gradients
from fastparse.learning.networks.learner import NetworkLearner
from fastparse.learning.networks.network import Network
from fastparse.learning.networks.outside import Outside
from fastparse.learning.networks.plans import TEACHER, Plan, seed_of_teacher, tagger_plan, tagger_shape
from fastparse.learning.networks.shapes import Shape
from fastparse.learning.progress import ComponentDone, Place
from fastparse.learning.steps import Training, keep_network, restored_network

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = [
    "FOLDS_STEP", "TaggerLearner", "has_tags", "learn_tagger", "part_of_fold", "part_of_teacher", "scores_of_tags",
    "shares_of_right_tags", "tagger_of", "with_own_tags",
]  # fmt: skip

_NOTHING_ELSE = Outside()
_RARE = 0.5  # a form that occurs so often is forgotten every other time


class _Forgetting(Gradients):
    """Forgets forms the more often the rarer they are: what is learnt of their affixes is what unknown ones have."""

    def __init__(self, network: Network, examples: Examples, plan: Plan, teachers: Sequence[Network] = ()) -> None:
        super().__init__(network, examples, plan, teachers)
        counts = np.bincount(examples.rows[:, 0], minlength=network.inputs.sizes()["form"])
        self._rates = _RARE / (counts + _RARE)
        self._rates[:FIRST] = 0

    def _thin(self, ids: np.ndarray[Any, Any], source: Any) -> None:
        super()._thin(ids, source)
        ids[source.random(len(ids)) < self._rates[ids[:, 0]], 0] = UNKNOWN


class TaggerLearner(NetworkLearner):
    """See `Learner`. Learns a network that reads words alone and says their tags; a piece is a batch."""

    clock = 0  # `steps` is the time

    def __init__(
        self, treebank: Treebank, shape: Shape, plan: Plan, threads: int = 1, outside: Outside = _NOTHING_ELSE,
        teachers: Sequence[Network] = (),
    ) -> None:  # fmt: skip
        """Args:
        shape, plan: sizes without a parser; plan.outputs says which columns.
        threads: they change no byte.
        outside: what is known of words besides the treebank.
        teachers: networks to learn from as well.
        """
        plan = replace(plan, with_tags=False, dropout=replace(plan.dropout, given=0.0))
        network, examples = new_network(None, treebank, shape, plan, outside=outside)
        super().__init__(network, examples, plan, threads, teachers, _Forgetting)
        self._batches = len(list(self.divided(np.arange(len(self.sizes)))))

    def pieces(self, number: int) -> Sequence[np.ndarray[Any, Any]]:
        self._source = np.random.Generator(np.random.PCG64([self.plan.seed, number]))
        return list(self.divided(self._source.permutation(len(self.sizes))))

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        left = 1 - self.steps / (self._batches * self.plan.rounds)
        self.learn_batch(order, iteration, int(self._source.integers(2**63)), left)


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


_SAMPLE = 20_000  # words


def has_tags(treebank: Treebank) -> bool:
    """Whether there is something for a tagger to learn."""
    return bool(columns_with_tags(treebank))


FOLDS_STEP = "tags for the parser"


def part_of_fold(fold: int, folds: int) -> str:
    """What a training calls the tagger of a part of the treebank, from 0."""
    return f"part {fold + 1} of {folds}"


def part_of_teacher(number: int, teachers: int) -> str:
    """What a training calls a teacher, from 0."""
    return f"teacher {number + 1} of {teachers}"


def learn_tagger(
    treebank: Treebank, size: str = "default", seed: int = 1, threads: int = 1, training: Training | None = None,
    step: tuple[str, str] = (TAGGER, ""), outside: Outside = _NOTHING_ELSE, teachers: int = 0,
) -> Tagger:  # fmt: skip
    """A tagger of a treebank that has tags.

    Args:
        size: "default" or "small".
        threads: 1 or 2; they change no byte.
        training: that it is a step of.
        step: what it is in that.
        outside: what is known of words besides the treebank.
        teachers: that are learnt before it, see `TrainingOptions`.
    """
    columns = columns_with_tags(treebank)
    training = training or Training()

    def learn(part: str, size: str, seed: int, taught_by: Sequence[Network] = ()) -> Network:
        plan = tagger_plan(treebank.n_words, size, seed=seed, outputs=(*columns, TAGS), taught=bool(taught_by))
        learner = TaggerLearner(treebank, tagger_shape(size), plan, min(threads, 2), outside, taught_by)
        name = Place(step[0], part).name
        if not restored_network(learner.network, training.checkpoint, name):
            course = Course(learner, plan.rounds, training, training.begin(step[0], part))
            course.run()
            learner.network = learner.kept()
            if part != step[1]:
                keep_network(learner.network, training.checkpoint, name)
        return learner.network

    learnt = [
        learn(part_of_teacher(number, teachers), TEACHER, seed_of_teacher(seed, number)) for number in range(teachers)
    ]
    return tagger_of(learn(step[1], size, seed, learnt), treebank, columns, size)


def tagger_of(network: Network, treebank: Treebank, columns: tuple[str, ...], size: str) -> Tagger:
    """The network in bytes. Args: treebank: its first sentences are the sample that scales are chosen on."""
    outputs = network.outputs or {}
    floats = {name: array for name, array in exported(network).items() if not name.startswith("tags.")}
    # The most frequent classes come first: the best one is found the sooner.
    counts = np.bincount(np.maximum(0, class_numbers(treebank, TAGS, outputs[TAGS])), minlength=len(outputs[TAGS]))
    order = np.argsort(-counts, kind="stable")
    weights, bias = scores_of_tags(network)
    floats[f"tags.{TAGS}.weights"], floats[f"tags.{TAGS}.bias"] = weights[order], bias[order]
    arrays = quantised(floats, network.shape.distances, {}, _sample(network, treebank)).arrays
    arrays = in_pieces(arrays, network.inputs.counts(network.inputs.rows(treebank)))
    strings = {column: sorted({split_tags(tags)[column] for tags in outputs[TAGS]}) for column in columns}
    number = {column: {string: i for i, string in enumerate(found)} for column, found in strings.items()}
    parts = [split_tags(outputs[TAGS][i]) for i in order.tolist()]
    if network.inputs.lexicon is not None:
        arrays |= network.inputs.lexicon.arrays()
    arrays |= stored({CLASSES: np.array([[number[c][part[c]] for c in columns] for part in parts], np.int32)})
    header = {"inputs": network.inputs.to_dict(), "columns": strings, "encoder": size}
    return Tagger.from_section(header, arrays)


def _sample(network: Network, treebank: Treebank) -> Sample:
    """What the network reads of the first sentences."""
    offsets = np.asarray(treebank.offsets, np.int64)
    last = max(1, int(np.searchsorted(offsets, _SAMPLE, side="right")) - 1)
    rows = network.inputs.rows(treebank[:last])
    columns = [bounds for group, bounds in network.inputs.columns().items() if group in network.shape.rows]
    there = rows != 0
    there[:, columns[-1][1] :] = False
    counts = np.stack([there[:, slice(*bounds)].sum(1) for bounds in columns], 1)
    ends = np.cumsum(counts.ravel()).reshape(counts.shape)
    return Sample(rows[there], ends, np.diff(offsets[: last + 1]) + 1, {}, None)


def with_own_tags(
    treebank: Treebank, folds: int, size: str = "default", seed: int = 1, threads: int = 1,
    training: Training | None = None, outside: Outside = _NOTHING_ELSE,
) -> Treebank:  # fmt: skip
    """The treebank with the tags that the one of `folds` taggers says which has not learnt from the sentence.

    A fold is a stretch of the treebank: sentences of one document, which share words, are not told apart by half of it.
    """
    training = training or Training()
    fold_of = np.arange(len(treebank)) * folds // max(1, len(treebank))
    word_fold = np.repeat(fold_of, np.diff(treebank.offsets))
    begun = perf_counter()
    columns: dict[str, np.ndarray[Any, Any]] = {}
    tables: dict[str, list[str]] = {}
    for fold in range(folds):
        for column, (ids, strings) in _said_of_fold(
            treebank, fold_of, fold, folds, size, seed, threads, training, outside
        ):
            said = columns.setdefault(column, np.full(treebank.n_words, -1, np.int32))
            table = tables.setdefault(column, [])
            said[word_fold == fold] = ids + len(table)
            table += strings
    own = treebank.with_columns(**{column: (ids, tables[column]) for column, ids in columns.items()})
    scores = shares_of_right_tags(treebank, {name: (own.ids(name), own.table(name)) for name in columns})
    training.report(ComponentDone(FOLDS_STEP, perf_counter() - begun, scores, "right"))
    return own


def _said_of_fold(
    treebank: Treebank, fold_of: np.ndarray[Any, Any], fold: int, folds: int, size: str, seed: int, threads: int,
    training: Training, outside: Outside,
) -> list[tuple[str, tuple[np.ndarray[Any, Any], Sequence[str]]]]:  # fmt: skip
    """Ids and strings of each column of a fold, as a tagger says that has learnt from the others."""
    checkpoint, step = training.checkpoint, (FOLDS_STEP, part_of_fold(fold, folds))
    rest, held = (treebank.select(np.flatnonzero((fold_of == fold) == which)) for which in (False, True))
    kept = checkpoint.get(Place(*step).name)
    if kept is not None and "columns" in kept.header:
        with checkpoint.usable():
            found = {name: (kept.arrays[name], strings) for name, strings in kept.header["columns"].items()}
            for name, (ids, strings) in found.items():
                if ids.shape != (held.n_words,) or not len(strings) or ids.min() < 0 or ids.max() >= len(strings):
                    raise ValueError(f"the tags of {Place(*step).name} do not fit the treebank: {name}")
            return list(found.items())
    said = learn_tagger(rest, size, seed + fold + 1, threads, training, step, outside).tag(held)
    header = {"columns": {name: list(strings) for name, (_, strings) in said.items()}}
    checkpoint.put(Place(*step).name, header, {name: np.asarray(ids, np.int32) for name, (ids, _) in said.items()})
    return list(said.items())


def shares_of_right_tags(treebank: Treebank, said: Mapping[str, tuple[Any, Sequence[str]]]) -> dict[str, float]:
    """How many tags of each column are the treebank's, and how many words have all of them, in per cent."""
    right = {}
    for name, (ids, strings) in said.items():
        number = {string: i for i, string in enumerate(dict.fromkeys([*strings, *treebank.table(name)]))}
        ours, theirs = (
            np.array([number[string] for string in table], np.int32)[numbers]
            for table, numbers in ((strings, ids), (treebank.table(name), treebank.ids(name)))
        )
        right[name] = ours == theirs
    n = max(1, treebank.n_words)
    everything = np.logical_and.reduce(list(right.values()))
    return {name: 100 * int(words.sum()) / n for name, words in {**right, "all tags": everything}.items()}
