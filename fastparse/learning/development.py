"""Scores on trees that are not learnt from: the best round, and how wide a beam has to be."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.learning.progress import Message, Scores
from fastparse.search.decoder import Decoder
from fastparse.search.kinds import kind_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.course import Arrays, Recipe, Report
    from fastparse.learning.preparation import Account

__all__ = ["Answers", "Development", "calibrated", "parted"]


class Answers(NamedTuple):
    """What a parser says of every word.

    Attributes:
        given: head and label id, a row per word.
        right: whether both are those of the treebank.
    """

    given: np.ndarray[Any, Any]
    right: np.ndarray[Any, Any]


class Development:
    """A treebank to choose weights by: UAS and LAS over every word, with full labels.

    Attributes:
        treebank: with its own heads and labels.
        sentences: the number of the sentence of each word.
    """

    def __init__(
        self, treebank: Treebank, recipe: Recipe, beam: int, threads: int, own: Treebank | None = None
    ) -> None:
        """Args: beam, threads: decoders parse with; own: the same sentences with a tagger's tags, to be parsed too."""
        self.treebank, self._recipe, self._beam, self._threads = treebank, recipe, beam, threads
        self._values = [recipe.kind.values(treebank)]
        if own is not None:
            self._values.append(recipe.kind.values(own, True))
        self._gold = recipe.gold(treebank)
        number = {label: i for i, label in enumerate(recipe.kind.labels.names)}
        # Labels that training has not seen cannot be right, words without one neither.
        ids = [number.get(label, -1) for label in treebank.deprel_table] + [-1]
        self._labels = np.array(ids, np.int32)[treebank.deprel_ids]
        self.sentences = np.repeat(np.arange(len(treebank)), np.diff(treebank.offsets))

    def searching(self, beam: int) -> Development:
        """The same, parsed with beams of another size."""
        found = copy(self)
        found._beam = beam
        return found

    def scores(self, arrays: Arrays) -> Scores:
        """Those of a learner's weights, by the heads that they should give."""
        return self._scores(self._recipe.decoder(arrays), self._gold)

    def final(self, decoder: Decoder) -> Scores:
        """Those of a parser that is finished, by the heads of the treebank."""
        return self._scores(decoder, np.asarray(self.treebank.heads))

    def answers(self, decoder: Decoder, threshold: int) -> Answers:
        """Those of a parser that is finished, with a threshold for its beam."""
        found = decoder.decode(self.treebank, self._beam, self._threads, values=self._values[0], threshold=threshold)
        right = (found.heads == np.asarray(self.treebank.heads)) & (found.labels == self._labels)
        return Answers(np.stack([found.heads, found.labels], axis=1), right)

    def logs(self, decoder: Decoder) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """How sure a finished parser with an encoder is of each word, and whether heads, and labels too, are right."""
        logs: list[Any] = []
        right: list[np.ndarray[Any, Any]] = []
        for values in self._values:
            found = decoder.decode(self.treebank, self._beam, self._threads, values=values, scores=True)
            logs.append(found.logs)
            right.append(np.stack([found.heads == np.asarray(self.treebank.heads), found.labels == self._labels]))
        rights = np.concatenate(right, axis=1)
        return np.concatenate(logs, axis=1), np.stack([rights[0], rights[0] & rights[1]])

    def trees(self, decoder: Decoder, k: int, beam: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Scores of the k best trees of each sentence, [trees, sentences], and whether they are right, labels too."""
        scores: list[Any] = []
        right: list[np.ndarray[Any, Any]] = []
        for values in self._values:
            found = decoder.decode(self.treebank, beam, self._threads, values=values, threshold=0, k=k)
            same = (found.tree_heads == np.asarray(self.treebank.heads)) & (found.tree_labels == self._labels)
            missed = np.concatenate([np.zeros((k, 1), np.int64), np.cumsum(~same, axis=1)], axis=1)
            scores.append(found.tree_scores)
            right.append(np.diff(missed[:, self.treebank.offsets]) == 0)
        return np.concatenate(scores, axis=1), np.concatenate(right, axis=1)

    def _scores(self, decoder: Decoder, gold: np.ndarray[Any, Any]) -> Scores:
        found: list[float] = []
        for values in self._values:
            parsed = decoder.decode(self.treebank, self._beam, self._threads, values=values)
            found += self.scored(parsed.heads, parsed.labels, gold)
        return Scores(*found)

    def scored(
        self, heads: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], gold: np.ndarray[Any, Any] | None = None
    ) -> tuple[float, float]:
        """UAS and LAS of heads and label ids. gold: the right heads; None: those of the treebank."""
        right = heads == (np.asarray(self.treebank.heads) if gold is None else gold)
        n = max(1, len(heads))
        return 100 * int(right.sum()) / n, 100 * int((right & (labels == self._labels)).sum()) / n


_FIRST, _LARGEST = 1 << 12, 1 << 24  # thresholds to begin with, and to give up at
_STEP = 2**0.25  # from one threshold to the next smaller one
_MOST_LOST = 0.0003  # of all words
_MOST_LOST_OF_HALF = 0.001  # of all words, in either half: more than chance makes of the changes that are accepted
_MOST_CHANGED = 0.012  # of the words, for the better or the worse: what is lost elsewhere is less than that
_FEWEST_WORDS = 2000  # fewer tell nothing


def parted(treebank: Treebank, part: float, account: Account) -> tuple[Treebank, Treebank | None]:
    """What to learn from, and what to find a threshold on if there is nothing else: None if that would be too little.

    Trees are set aside all through the treebank: one after so many.
    """
    if not part:
        return treebank, None
    every = round(1 / part)
    aside = np.arange(len(treebank)) % every == every - 1
    if np.diff(treebank.offsets)[aside].sum() < _FEWEST_WORDS:
        return treebank, None
    account.counts["held_out"] = n = int(aside.sum())
    account.notes.append(f"{n:,} trees are set aside for the threshold of the beam (held_out=0 learns from them, too)")
    return treebank.select(np.flatnonzero(~aside)), treebank.select(np.flatnonzero(aside))


def calibrated(decoder: Decoder, development: Development, report: Report) -> Decoder:
    """The decoder with the smallest threshold that seems to lose nothing against the whole beam, or as it is.

    Every larger threshold must seem so as well, in both halves of the treebank. Where few words change, little can be
    lost on other texts.
    """
    threshold = _smallest(decoder, development)
    if not threshold:
        return decoder
    report(Message(f"beams leave out states that score less than the best by more than {threshold:,}"))
    kind = kind_of(replace(decoder.kind.description, threshold=threshold), decoder.arrays())
    return Decoder(kind, decoder.weights)


def _smallest(decoder: Decoder, development: Development) -> int:
    """0 if there is none."""
    sentences = development.sentences
    if len(sentences) < _FEWEST_WORDS:
        return 0
    whole = development.answers(decoder, 0)
    # By doubling and halving, the smallest of those that change nothing; from there by smaller steps.
    harmless = _FIRST
    while (development.answers(decoder, harmless).given != whole.given).any():
        harmless *= 2
        if harmless > _LARGEST:
            return 0
    while harmless > 1 and not (development.answers(decoder, harmless // 2).given != whole.given).any():
        harmless //= 2
    found, candidate = harmless, harmless / _STEP
    while candidate >= 1 and _good(whole, development.answers(decoder, round(candidate)), sentences):
        found, candidate = round(candidate), candidate / _STEP
    return found


def _good(whole: Answers, some: Answers, sentences: np.ndarray[Any, Any]) -> bool:
    """Whether few words change, and no more are wrong than may be by chance."""
    n = len(sentences)
    changed = int((whole.given != some.given).any(axis=1).sum())
    lost = whole.right.astype(np.int8) - some.right
    halves = [int(lost[sentences % 2 == half].sum()) for half in (0, 1)]
    few = sum(halves) <= _MOST_LOST * n and max(halves) <= _MOST_LOST_OF_HALF * n
    return few and changed <= _MOST_CHANGED * n
