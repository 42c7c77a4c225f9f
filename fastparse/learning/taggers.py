"""Learning a tagger, and the tags that parsers learn from: said of sentences that a tagger has not learnt from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.arrays import stored
from fastparse.encoder.checking_tags import CLASSES
from fastparse.encoder.floats import Sample
from fastparse.encoder.quantise import quantised
from fastparse.encoder.tagger import Tagger
from fastparse.learning.networks.export import exported
from fastparse.learning.networks.presets import tagger_plan, tagger_shape
from fastparse.learning.networks.tagging import scores_of_tags, train_tagger
from fastparse.learning.networks.targets import TAGS, class_numbers, columns_with_tags, split_tags
from fastparse.learning.progress import ComponentDone, ComponentPass
from fastparse.learning.teachers import TEACHER, seed_of_teacher

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.networks.course import Round
    from fastparse.learning.networks.network import Network
    from fastparse.learning.networks.vectors import Vectors

__all__ = ["has_tags", "learn_tagger", "shares_of_right_tags", "tagger_of", "with_own_tags"]

_SAMPLE = 20_000  # words


def has_tags(treebank: Treebank) -> bool:
    """Whether there is something for a tagger to learn."""
    return bool(columns_with_tags(treebank))


def learn_tagger(
    treebank: Treebank, size: str = "default", seed: int = 1, threads: int = 1,
    report: Callable[[Any], object] = lambda event: None, name: str = "tagger",
    vectors: Vectors | None = None, teachers: int = 0,
) -> Tagger:  # fmt: skip
    """A tagger of a treebank that has tags.

    Args:
        size: "default" or "small".
        threads: 1 or 2; they change no byte.
        report: called after each round.
        name: what reports call it.
        vectors: of words, from outside.
        teachers: that are learnt before it, see `TrainingOptions`.
    """
    columns = columns_with_tags(treebank)

    def learn(name: str, size: str, seed: int, taught_by: Sequence[Network] = ()) -> Network:
        def passed(row: Round) -> None:
            report(ComponentPass(name, row.number, row.rounds, row.seconds * (row.rounds - row.number)))

        plan = tagger_plan(treebank.n_words, size, seed=seed, outputs=(*columns, TAGS), taught=bool(taught_by))
        shape = tagger_shape(size)
        return train_tagger(treebank, shape, plan, None, min(threads, 2), passed, vectors, taught_by)

    learnt = [
        learn(f"{name}: teacher {number + 1} of {teachers}", TEACHER, seed_of_teacher(seed, number))
        for number in range(teachers)
    ]
    return tagger_of(learn(name, size, seed, learnt), treebank, columns, size)


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
    strings = {column: sorted({split_tags(tags)[column] for tags in outputs[TAGS]}) for column in columns}
    number = {column: {string: i for i, string in enumerate(found)} for column, found in strings.items()}
    parts = [split_tags(outputs[TAGS][i]) for i in order.tolist()]
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
    report: Callable[[Any], object] = lambda event: None, vectors: Vectors | None = None,
) -> Treebank:  # fmt: skip
    """The treebank with the tags that the one of `folds` taggers says which has not learnt from the sentence.

    A fold is a stretch of the treebank: sentences of one document, which share words, are not told apart by half of it.
    """
    fold_of = np.arange(len(treebank)) * folds // max(1, len(treebank))
    word_fold = np.repeat(fold_of, np.diff(treebank.offsets))
    begun = perf_counter()
    columns: dict[str, np.ndarray[Any, Any]] = {}
    tables: dict[str, list[str]] = {}
    for fold in range(folds):
        rest, held = (treebank.select(np.flatnonzero((fold_of == fold) == which)) for which in (False, True))
        name = f"tagger for the parser, {fold + 1} of {folds}"
        tagger = learn_tagger(rest, size, seed + fold + 1, threads, report, name, vectors)
        for column, (ids, strings) in tagger.tag(held).items():
            said = columns.setdefault(column, np.full(treebank.n_words, -1, np.int32))
            table = tables.setdefault(column, [])
            said[word_fold == fold] = ids + len(table)
            table += strings
    own = treebank.with_columns(**{column: (ids, tables[column]) for column, ids in columns.items()})
    scores = shares_of_right_tags(treebank, {name: (own.ids(name), own.table(name)) for name in columns})
    report(ComponentDone(f"tags for the parser, {folds} folds", perf_counter() - begun, scores, "right"))
    return own


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
