"""A tagger: what an encoder says of words alone, as columns of a treebank."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.checking_tags import Parts, parts_of
from fastparse.encoder.reading import Forms
from fastparse.encoder.tagging import Tags

if TYPE_CHECKING:
    from fastparse.corpus.sheet import Sheet
    from fastparse.corpus.strings.vectors import Vector
    from fastparse.corpus.treebank import Treebank

__all__ = ["Tagger"]

_WORDS_AT_A_TIME = 32_000  # whose forms are read together: a batch of text at least


class Tagger:
    """Says UPOS, XPOS and FEATS, all or some of them. It never changes, so any number of threads may use one.

    A word's tags are one of the combinations that training has seen: the one that the encoder finds best of those that
    agree with the tags the word has already.

    Attributes:
        columns: the strings of each column that it says.
        size: the name of its encoder's size.
    """

    def __init__(self, parts: Parts, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """See `from_section`. Args: arrays: as a file holds them."""
        self.columns, self.size = parts.columns, parts.size
        self._inputs = parts.inputs
        self._arrays = dict(arrays)
        self._tags = Tags(Forms(parts.inputs), parts.encoder, parts.columns, parts.classes)

    @classmethod
    def from_section(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> Tagger:
        """The tagger that `header` and `arrays` describe.

        Raises:
            ModelFormatError: if they are not what a tagger is made of.
        """
        return cls(parts_of(header, arrays), arrays)

    def header(self) -> dict[str, Any]:
        """What it says of itself, for JSON."""
        columns = {name: list(strings) for name, strings in self.columns.items()}
        return {"inputs": self._inputs.to_dict(), "columns": columns, "encoder": self.size}

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The rest, by name; do not write to them."""
        return dict(self._arrays)

    def tagged(self, sheet: Sheet, threads: int = 1) -> Sheet:
        """Sentences with all columns that it says. Args: threads: the result does not depend on it."""
        if threads == 1 or sheet.n_words <= _WORDS_AT_A_TIME:
            return self._tags.tagged(sheet)
        return self._tags.filled(sheet, self._said(sheet, None, threads))

    def tag(
        self, treebank: Treebank, kept: np.ndarray[Any, Any] | None = None, threads: int = 1
    ) -> dict[str, tuple[np.ndarray[Any, Any], tuple[str, ...]]]:
        """What it says: for each column an id per word, and the strings by id.

        Args:
            kept: bool [words, columns]: what the words have that is to stay; other columns are said to agree with it,
                if training has seen such a combination.
            threads: the result does not depend on it.
        """
        given = None if kept is None else self._given(treebank, kept)
        said = self._said(treebank._sheet(), given, threads)
        return {name: (ids.array(), strings) for ids, (name, strings) in zip(said, self.columns.items(), strict=True)}

    def _said(self, sheet: Sheet, given: np.ndarray[Any, Any] | None, threads: int) -> tuple[Vector, ...]:
        """Ids of all words for each column."""
        said = self._tags.room(sheet)

        def say(part: tuple[int, int]) -> None:
            first, last = part
            self._tags.say(sheet, first, last, said, given)

        parts = list(pairwise(sheet.bounds(_WORDS_AT_A_TIME)))
        if threads > 1 and len(parts) > 1:
            with ThreadPoolExecutor(min(threads, len(parts))) as pool:
                list(pool.map(say, parts))
        else:
            for part in parts:
                say(part)
        return said

    def _given(self, treebank: Treebank, kept: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The place of each word's string among those of a column; -1 where it is unknown or not kept."""
        given = np.full(kept.shape, -1, np.int32)
        for k, (name, strings) in enumerate(self.columns.items()):
            if kept[:, k].any():
                number = {string: i for i, string in enumerate(strings)}
                known = np.array([number.get(string, -1) for string in treebank.table(name)], np.int32)
                given[:, k] = np.where(kept[:, k], known[treebank.ids(name)], -1)
        return given
