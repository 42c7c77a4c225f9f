"""Learning a tokenizer from a treebank."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from fastparse.corpus.surface import SurfaceSentence
from fastparse.errors import Error
from fastparse.text.characters import Characters
from fastparse.text.engine import FIRST_END_FEATURES, KINDS, SHAPES, Engine
from fastparse.text.multiword import Dictionary, lexicon_arrays
from fastparse.text.perceptron import averages, learn, shuffle
from fastparse.text.recorder import DECISIONS, Cases
from fastparse.text.variants import MarkedText, marked, paragraphs, varied
from fastparse.text.weights import WeightTable

__all__ = ["EngineLearner"]

JOIN, SPLIT, ASK = range(3)
SCALE = 64  # of averaged weights, before they are rounded
MARGIN = {"gap": 30, "end": 8, "words": 8}  # a case is learnt from unless its sum is further from wrong than this
SMALLEST = {"gap": 1, "end": 40, "words": 1}  # weight that is kept
RUNS = 2  # perceptrons whose weights are averaged, each with cases in another order
RARE = 2  # forms that do not occur more often are treated as unknown while words are learnt


class EngineLearner:
    """Learns an engine, pass by pass over the cases of its decisions.

    Attributes:
        sizes: cases of each decision and run, which are learnt one after the other in each pass.
    """

    def __init__(self, sentences: list[SurfaceSentence], passes: int = 10, seed: int = 1, variants: int = 2) -> None:
        """See `Tokenizer.train`."""
        if not sentences:
            raise Error("no sentences to learn a tokenizer from: give a treebank that has some")
        self._passes, self._done = passes, 0
        self._characters = characters = Characters.of_unicode()
        texts = list(paragraphs(sentences))
        random = Random(seed)
        plain = 1 + variants // 2  # the more variants, the more often the text as it is, lest it be outweighed
        corpora = [*[marked(texts)] * plain, *(marked([varied(p, random) for p in texts]) for _ in range(variants))]
        empty = WeightTable(np.zeros(1, np.uint64), 0)
        no_words = lexicon_arrays({}, {})
        ask = np.full(KINDS * KINDS, ASK, np.uint8)
        first = Engine(characters, ask, ask, np.full(SHAPES * SHAPES * 2, ASK, np.uint8), (empty,) * 3, no_words, 0)
        self._certain = gaps, spaces, ends = certain_tables(first, corpora)
        dictionary = Dictionary(characters, (token for sentence in sentences for token in sentence.tokens))
        suffixes = dictionary.suffixes()
        learning = lexicon_arrays(dictionary.entries(RARE, suffixes), suffixes)
        self._lexicon = lexicon_arrays(dictionary.entries(0, suffixes), suffixes)
        second = Engine(characters, gaps, spaces, ends, (empty,) * 3, learning, 0)
        cases = Cases()
        for corpus in corpora:
            second.record(corpus.text, corpus.marks, cases)
        self._cases = {name: cases.arrays(name) for name in DECISIONS}
        self._runs = [_Run(name, *self._cases[name], seed + run) for name in DECISIONS for run in range(RUNS)]
        self.sizes = np.array([len(run.answers) for run in self._runs])

    @property
    def clock(self) -> int:
        """Passes that have been learnt."""
        return self._done

    @clock.setter
    def clock(self, now: int) -> None:
        if not 0 <= now <= self._passes:
            raise ValueError(f"{now} passes of {self._passes}")
        for run in self._runs:
            run.shuffle(now - self._done)
        self._done = now

    def pieces(self, number: int) -> list[np.ndarray[Any, Any]]:
        return [np.array([run]) for run in range(len(self._runs))]

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        for run in order.tolist():
            self._runs[run].learn(iteration)
        if at + len(order) == len(self._runs):
            self._done = iteration

    def state(self) -> dict[str, np.ndarray[Any, Any]]:
        return {
            f"{number}.{name}": array.copy()
            for number, run in enumerate(self._runs)
            for name, array in (("weights", run.weights), ("drift", run.drift))
        }

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        for number, run in enumerate(self._runs):
            for name, array in (("weights", run.weights), ("drift", run.drift)):
                found = state[f"{number}.{name}"]
                if found.shape != array.shape or found.dtype != array.dtype:
                    raise ValueError(f"the {name} of the tokenizer have another shape")
                array[:] = found

    def engine(self) -> Engine:
        """What has been learnt."""
        tables = []
        least = 0
        for place, name in enumerate(DECISIONS):
            rows, answers, keys = self._cases[name]
            if len(answers):
                sums = sum(run.averages(self._done) for run in self._runs[place * RUNS : (place + 1) * RUNS])
                scaled = np.rint(sums * (SCALE / RUNS)).astype(np.int64)
                weights, bias = scaled[:-1], int(scaled[-1])
            else:
                weights, bias = np.zeros(len(keys), np.int64), -1
            if name == "end":
                least = least_sum(rows, weights, bias)
            kept = np.abs(weights) >= SMALLEST[name]
            tables.append(WeightTable.build(keys[kept], weights[kept], bias))
        return Engine(self._characters, *self._certain, tuple(tables), self._lexicon, least)


class _Run:
    """A perceptron of one decision."""

    def __init__(self, name: str, rows: Any, answers: Any, keys: Any, seed: int) -> None:
        self.rows, self.answers, self._margin = rows, answers, MARGIN[name]
        self.weights, self.drift = np.zeros(len(keys) + 1, np.int32), np.zeros(len(keys) + 1, np.int64)
        self._order = np.arange(len(answers), dtype=np.int64)
        self._random = np.array([seed * 2 + 1], np.uint64)

    def shuffle(self, passes: int) -> None:
        for _ in range(passes):
            shuffle(self._order, self._random)

    def learn(self, number: int) -> None:
        """A pass, from 1."""
        self.shuffle(1)
        if len(self.answers):
            clock = 1 + (number - 1) * len(self.answers)
            learn(self.rows, self.answers, self._order, self.weights, self.drift, clock, self._margin)

    def averages(self, passes: int) -> Any:
        return averages(self.weights, self.drift, 1 + passes * len(self.answers))


def certain_tables(engine: Engine, corpora: list[MarkedText]) -> tuple[Any, Any, Any]:
    """Which gaps and ends are certain: those that have been seen often, and hardly ever otherwise."""
    gaps: Any = 0
    spaces: Any = 0
    ends: Any = 0
    for corpus in corpora:
        found = engine.count(corpus.text, corpus.marks)
        gaps, spaces, ends = gaps + found[0], spaces + found[1], ends + found[2]
    joined, split = gaps[..., 0], gaps[..., 1]
    total = joined + split
    gap_states = np.full(total.shape, ASK, np.uint8)
    gap_states[(total >= 30) & (split * 1000 <= total)] = JOIN
    gap_states[(total >= 30) & (joined * 1000 <= total)] = SPLIT
    joined, split = spaces[..., 0], spaces[..., 1]
    space_states = np.where(joined * 1000 > joined + split, ASK, SPLIT).astype(np.uint8)
    on, ended = ends[..., 0], ends[..., 1]
    end_states = np.where((on + ended >= 30) & (ended * 2000 < on), JOIN, ASK).astype(np.uint8)
    return gap_states.reshape(-1), space_states.reshape(-1), end_states.reshape(-1)


def least_sum(rows: Any, weights: Any, bias: int) -> int:
    """A sum that the first features of every recorded end of a sentence exceed."""
    least = 1 << 20
    for part in range(0, len(rows), 1 << 16):
        found = weights[rows[part : part + (1 << 16)]]
        first = found[:, :FIRST_END_FEATURES].sum(axis=1) + bias
        ends = first[first + found[:, FIRST_END_FEATURES:].sum(axis=1) > 0]
        least = min(least, int(ends.min(initial=least)))
    return least - 1
