"""Learning a lemmatizer from a treebank."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastparse.corpus.strings.interning import hash_of
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.lemmas.checking import MOST_SCRIPTS, Arrays, packed_scripts
from fastparse.lemmas.evidence import triple_keys
from fastparse.lemmas.lemmatizer import Lemmatizer
from fastparse.lemmas.perceptron import Perceptron
from fastparse.lemmas.scripts import Script, script_of

SCALE = 32  # weights are kept in parts of so much
LARGEST = 32767
SMALLEST = 0.1  # smaller weights are left out
FORMS_AT_A_TIME = 1000  # between looks at the clock and at signals


@dataclass(frozen=True)
class Examples:
    """What there is to learn: each form with its tags once, with its most frequent lemma."""

    forms: list[str]
    upos: list[str]
    feats: list[str]
    lemmas: list[str]
    scripts: list[Script]

    def __len__(self) -> int:
        return len(self.forms)


def train(treebank: Treebank, iterations: int = 8, seed: int = 1) -> Lemmatizer:
    """Learn a lemmatizer from the forms, UPOS, FEATS and lemmas of a treebank.

    Args:
        treebank: words with lemmas; those whose lemma is `_` teach nothing.
        iterations: how often the perceptron sees each form.
        seed: of the order it sees them in.
    Raises:
        Error: if no word has a lemma.
    """
    if iterations < 1:
        raise Error(f"{iterations} iterations teach nothing: give 1 or more")
    learner = LemmaLearner(treebank, seed)
    for number in range(1, iterations + 1):
        at = 0
        for piece in learner.pieces(number):
            learner.learn(piece, number, at)
            at += len(piece)
    return learner.lemmatizer()


class LemmaLearner:
    """Learns a lemmatizer, pass by pass over the forms.

    Attributes:
        sizes: each form counts as one.
    """

    def __init__(self, treebank: Treebank, seed: int = 1) -> None:
        """See `train`."""
        self._examples = examples = examples_of(treebank)
        if not len(examples):
            raise Error("no word of the treebank has a lemma to learn: leave the lemmatizer out")
        counted = Counter(examples.scripts)
        self._scripts = sorted(counted, key=lambda script: (-counted[script], script))[:MOST_SCRIPTS]
        ids = {script: place for place, script in enumerate(self._scripts)}
        self._wanted = np.array([ids.get(script, -1) for script in examples.scripts], np.int32)
        self._upos, self._feats = _hashes(examples.upos), _hashes(examples.feats)
        self._order = np.flatnonzero(self._wanted >= 0).tolist()  # all but those of scripts that have no id
        self._perceptron = Perceptron(
            self._scripts, examples.forms, examples.lemmas, self._wanted, self._upos, self._feats
        )
        self._shuffled, self._passes = random.Random(seed), 0
        self.sizes = np.ones(len(examples), np.int64)

    @property
    def clock(self) -> int:
        """Forms that have been gone through."""
        return self._perceptron.n_steps

    @clock.setter
    def clock(self, now: int) -> None:
        self._perceptron.n_steps = now

    def pieces(self, number: int) -> list[np.ndarray[Any, Any]]:
        while self._passes < number:
            self._shuffled.shuffle(self._order)
            self._passes += 1
        order = np.array(self._order, np.int64)
        return [order[at : at + FORMS_AT_A_TIME] for at in range(0, len(order), FORMS_AT_A_TIME)]

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        # Every other time alone: lemmas that nobody has seen need weights that do without.
        self._perceptron.learn(order.tolist(), with_known=iteration % 2 == 0)

    def state(self) -> Arrays:
        return self._perceptron.state()

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        self._perceptron.restore(*(state[name] for name in ("begins", "scripts", "weights", "drifts")))

    def lemmatizer(self) -> Lemmatizer:
        """What has been learnt."""
        examples, wanted, perceptron = self._examples, self._wanted, self._perceptron
        none: Arrays = {"dictionary": np.zeros(0, np.uint64), "dictionary_scripts": np.zeros(0, np.uint16)}
        known = perceptron.known_lemmas
        arrays: Arrays = {**packed_scripts(self._scripts), **_rows(perceptron), **none, "known": known}
        # The dictionary holds what the weights get wrong.
        found = Lemmatizer(arrays).apply(examples.forms, examples.upos, examples.feats)
        wrong = np.array([ours != lemma for ours, lemma in zip(found, examples.lemmas, strict=True)], bool)
        wrong &= wanted >= 0
        triples = triple_keys(_hashes(examples.forms), self._upos, self._feats)
        keys, first = np.unique(triples[wrong], return_index=True)
        return Lemmatizer({**arrays, "dictionary": keys, "dictionary_scripts": wanted[wrong][first].astype(np.uint16)})


def examples_of(treebank: Treebank) -> Examples:
    """Each form with its tags once, in order of appearance; of its lemmas the most frequent, then the first."""
    columns = [np.ascontiguousarray(treebank.ids(name), np.int64) for name in ("form", "upos", "feats", "lemma")]
    rows, first, counts = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_counts=True)
    tables = [treebank.table(name) for name in ("form", "upos", "feats", "lemma")]
    best: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for row, at, count in zip(rows.tolist(), first.tolist(), counts.tolist(), strict=True):
        if tables[3][row[3]] != "_" or tables[0][row[0]] == "_":
            key = tuple(row[:3])
            best[key] = max(best.get(key, (0, 0, 0)), (count, -at, row[3]))
    ordered = sorted(best.items(), key=lambda item: -item[1][1])
    forms, upos, feats = ([tables[of][key[of]] for key, _ in ordered] for of in range(3))
    lemmas = [tables[3][lemma] for _, (_, _, lemma) in ordered]
    return Examples(
        forms, upos, feats, lemmas, [script_of(form, lemma) for form, lemma in zip(forms, lemmas, strict=True)]
    )


def _hashes(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    known = {text: hash_of(text) for text in set(texts)}
    return np.array([known[text] for text in texts], np.uint64)


def _rows(perceptron: Perceptron) -> Arrays:
    """The averaged weights as small integers; rows of nothing are left out."""
    begins, scripts, weights = perceptron.averaged()
    rounded = np.clip(np.rint(weights * SCALE), -LARGEST, LARGEST).astype(np.int16)
    row_of = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    order = np.lexsort((scripts, row_of))
    order = order[np.abs(weights[order]) >= SMALLEST]
    rows, sizes = np.unique(row_of[order], return_counts=True)
    return {
        "keys": perceptron.keys[rows],
        "row_begins": np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
        "row_scripts": scripts[order].astype(np.uint16),
        "row_weights": rounded[order],
    }
