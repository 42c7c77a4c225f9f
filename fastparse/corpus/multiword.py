"""Multiword tokens of a treebank: which words each covers, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.ranges import read_ranges

if TYPE_CHECKING:
    from fastparse.corpus.strings.interning import StringTable
    from fastparse.corpus.treebank import Treebank

__all__ = ["Multiword", "multiword_tokens", "string_ids"]


@dataclass(frozen=True)
class Multiword:
    """The multiword tokens of a treebank, in order; words are counted from 0 through all sentences.

    Attributes:
        first: the first word of each, int64.
        stop: the word after its last.
        cells: int64 rows of four: begin and end of the form, begin and end of MISC, in the source.
        source: the bytes the treebank was read from.
    """

    first: np.ndarray[Any, Any]
    stop: np.ndarray[Any, Any]
    cells: np.ndarray[Any, Any]
    source: bytes

    def __len__(self) -> int:
        return len(self.first)

    @property
    def forms(self) -> list[bytes]:
        """The form of each, in UTF-8."""
        return [self.source[begin:end] for begin, end in self.cells[:, :2].tolist()]

    @property
    def misc(self) -> list[bytes]:
        """The MISC of each, which tells the space after it."""
        return [self.source[begin:end] for begin, end in self.cells[:, 2:].tolist()]


def multiword_tokens(treebank: Treebank) -> Multiword:
    """Find the multiword tokens in the bytes a treebank was read from; one without such bytes has none."""
    layout = treebank._layout
    if layout is None:
        none = np.zeros(0, np.int64)
        return Multiword(none, none, np.zeros((0, 4), np.int64), b"")
    rows = read_ranges(layout.source, layout.begins, layout.ends)
    first, stop, cells = (np.ascontiguousarray(part) for part in (rows[:, 0], rows[:, 1], rows[:, 2:]))
    return Multiword(first, stop, cells, layout.source)


def string_ids(treebank: Treebank, column: str) -> tuple[StringTable, np.ndarray[Any, Any]]:
    """The strings of a column as bytes, for compiled code, and the id of each word (int32)."""
    ids = np.ascontiguousarray(treebank.ids(column), np.int32)
    return treebank._tables[column], ids
