"""A tagger: what an encoder says of words alone, as columns of a treebank."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.arrays import part_bounds
from fastparse.corpus.strings.index import distinct_triples
from fastparse.encoder.checking_tags import Parts, parts_of
from fastparse.encoder.reading import Forms
from fastparse.encoder.scratch import Scratch

if TYPE_CHECKING:
    from fastparse.corpus.strings.interning import StringTable
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
        self._inputs, self._classes, self._encoder = parts.inputs, parts.classes, parts.encoder
        self._arrays = dict(arrays)
        self._forms = Forms(parts.inputs)
        self._idle: list[Scratch] = []  # the memory of calls, which the next ones take again

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

    def tag(
        self, treebank: Treebank, kept: np.ndarray[Any, Any] | None = None, threads: int = 1
    ) -> dict[str, tuple[np.ndarray[Any, Any], tuple[str, ...]]]:
        """What it says: for each column an id per word, and the strings by id.

        Args:
            kept: bool [words, columns]: what the words have that is to stay; other columns are said to agree with it,
                if training has seen such a combination.
            threads: the result does not depend on it.
        """
        offsets = np.ascontiguousarray(treebank.offsets, np.int64)
        forms, table = treebank.cells("form")
        given = None if kept is None else self._given(treebank, kept)
        said = np.zeros(len(forms), np.int32)

        def tag(part: tuple[int, int]) -> None:
            first, last = part
            words = slice(int(offsets[first]), int(offsets[last]))
            own = None if given is None else given[words]
            said[words] = self._said(table, forms[words], np.diff(offsets[first : last + 1]), own)

        parts = list(pairwise(part_bounds(offsets, _WORDS_AT_A_TIME)))
        if threads > 1 and len(parts) > 1:
            with ThreadPoolExecutor(min(threads, len(parts))) as pool:
                list(pool.map(tag, parts))
        else:
            for part in parts:
                tag(part)
        return {name: (self._classes[said, k], strings) for k, (name, strings) in enumerate(self.columns.items())}

    def _given(self, treebank: Treebank, kept: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The place of each word's string among those of a column; -1 where it is unknown or not kept."""
        given = np.full(kept.shape, -1, np.int32)
        for k, (name, strings) in enumerate(self.columns.items()):
            if kept[:, k].any():
                number = {string: i for i, string in enumerate(strings)}
                known = np.array([number.get(string, -1) for string in treebank.table(name)], np.int32)
                given[:, k] = np.where(kept[:, k], known[treebank.ids(name)], -1)
        return given

    def _said(
        self, table: StringTable, forms: np.ndarray[Any, Any], sizes: np.ndarray[Any, Any],
        given: np.ndarray[Any, Any] | None,
    ) -> np.ndarray[Any, Any]:  # fmt: skip
        """The class of each word of some sentences.

        Args:
            table: strings, of which `forms` are places.
            sizes: words of each sentence.
        """
        zeros = np.zeros(len(forms), np.int32)
        kinds, first = distinct_triples(np.ascontiguousarray(forms, np.int32), zeros, zeros)
        rows = np.zeros(len(forms) + len(sizes), np.int32)
        words = np.ones(len(rows), bool)
        words[np.cumsum(sizes + 1) - sizes - 1] = False  # roots, which are kind 0
        rows[words] = kinds + 1
        own = None
        if given is not None:
            own = np.full((len(rows), given.shape[1]), -1, np.int32)
            own[words] = given
        try:  # to take one is a single step: threads get different ones
            scratch = self._idle.pop()
        except IndexError:
            scratch = Scratch(self._encoder)
        scratch.encode(*self._forms.read(table, forms[first]), sizes + 1, rows)
        found = scratch.tags(0, self._classes, own)[words]
        if len(rows) <= 2 * _WORDS_AT_A_TIME:
            self._idle.append(scratch)
        return found
