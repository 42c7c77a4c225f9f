"""Scores on a development treebank while a parser is learnt."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.learning.progress import Scores

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.recipes.recipe import Arrays, Recipe
    from fastparse.search.decoder import Decoder

__all__ = ["Answers", "Development"]


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
