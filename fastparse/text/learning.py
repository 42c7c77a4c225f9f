"""Learning a tokenizer from a treebank."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from fastparse.corpus.surface import SurfaceSentence
from fastparse.errors import Error
from fastparse.text.characters import Characters
from fastparse.text.engine import FIRST_END_FEATURES, KINDS, SHAPES, Engine
from fastparse.text.multiword import Dictionary, lexicon_arrays
from fastparse.text.perceptron import learn
from fastparse.text.recorder import DECISIONS, Cases
from fastparse.text.variants import MarkedText, marked, paragraphs, varied
from fastparse.text.weights import WeightTable

__all__ = ["train_engine"]

JOIN, SPLIT, ASK = range(3)
SCALE = 64  # of averaged weights, before they are rounded
MARGIN = {"gap": 30, "end": 8, "words": 8}  # a case is learnt from unless its sum is further from wrong than this
SMALLEST = {"gap": 1, "end": 40, "words": 1}  # weight that is kept
RUNS = 2  # perceptrons whose weights are averaged, each with cases in another order
RARE = 2  # forms that do not occur more often are treated as unknown while words are learnt


def train_engine(sentences: list[SurfaceSentence], *, passes: int, seed: int,
                 variants: int) -> Engine:  # fmt: skip
    """An engine with tables, weights and lexicon learnt from sentences."""
    if not sentences:
        raise Error("no sentences to learn a tokenizer from: give a treebank that has some")
    characters = Characters.of_unicode()
    texts = list(paragraphs(sentences))
    random = Random(seed)
    plain = 1 + variants // 2  # the more variants, the more often the text as it is, lest it be outweighed
    corpora = [*[marked(texts)] * plain, *(marked([varied(p, random) for p in texts]) for _ in range(variants))]
    empty = WeightTable(np.zeros(1, np.uint64), 0)
    no_words = lexicon_arrays({}, {})
    ask = np.full(KINDS * KINDS, ASK, np.uint8)
    first = Engine(characters, ask, ask, np.full(SHAPES * SHAPES * 2, ASK, np.uint8), (empty,) * 3, no_words, 0)
    gaps, spaces, ends = certain_tables(first, corpora)
    dictionary = Dictionary(characters, (token for sentence in sentences for token in sentence.tokens))
    suffixes = dictionary.suffixes()
    learning = lexicon_arrays(dictionary.entries(RARE, suffixes), suffixes)
    second = Engine(characters, gaps, spaces, ends, (empty,) * 3, learning, 0)
    cases = Cases()
    for corpus in corpora:
        second.record(corpus.text, corpus.marks, cases)
    tables = []
    least = 0
    for name in DECISIONS:
        rows, answers, keys = cases.arrays(name)
        weights, bias = averaged(rows, answers, len(keys), passes=passes, margin=MARGIN[name], seed=seed)
        if name == "end":
            least = least_sum(rows, weights, bias)
        kept = np.abs(weights) >= SMALLEST[name]
        tables.append(WeightTable.build(keys[kept], weights[kept], bias))
    lexicon = lexicon_arrays(dictionary.entries(0, suffixes), suffixes)
    return Engine(characters, gaps, spaces, ends, tuple(tables), lexicon, least)


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


def averaged(rows: Any, answers: Any, n: int, *, passes: int, margin: int, seed: int) -> tuple[Any, int]:
    """The averaged weights of `n` features and the bias, in integers."""
    if not len(answers):
        return np.zeros(n, np.int64), -1
    learnt = [learn(rows, answers, n, passes=passes, margin=margin, seed=seed + i) for i in range(RUNS)]
    weights = np.rint(sum(weights for weights, _ in learnt) * (SCALE / RUNS)).astype(np.int64)
    return weights, round(sum(bias for _, bias in learnt) * (SCALE / RUNS))


def least_sum(rows: Any, weights: Any, bias: int) -> int:
    """A sum that the first features of every recorded end of a sentence exceed."""
    least = 1 << 20
    for part in range(0, len(rows), 1 << 16):
        found = weights[rows[part : part + (1 << 16)]]
        first = found[:, :FIRST_END_FEATURES].sum(axis=1) + bias
        ends = first[first + found[:, FIRST_END_FEATURES:].sum(axis=1) > 0]
        least = min(least, int(ends.min(initial=least)))
    return least - 1
