"""Where the sentences of a treebank stand in the bytes they were read from, and what was not read."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.conllu.reader import read_block, read_ranges
from fastparse.corpus.conllu.tokenization import Tokenization
from fastparse.corpus.problems import Problem

if TYPE_CHECKING:
    from fastparse.corpus.strings.interning import StringTable
    from fastparse.corpus.treebank import Treebank

__all__ = ["Failures", "Layout", "Multiword", "layout_of", "multiword_tokens", "string_ids"]


@dataclass(frozen=True)
class Layout:
    """Where the words stand in the bytes they were read from."""

    source: bytes
    head_at: np.ndarray[Any, Any]  # int64 per word: where its cell HEAD begins
    begins: np.ndarray[Any, Any]  # int64 per sentence: where its bytes begin, comments included
    ends: np.ndarray[Any, Any]  # int64 per sentence: where they end, the blank line included
    lines: np.ndarray[Any, Any]  # int64 per sentence: its line, counted through all parts from 1
    spans: np.ndarray[Any, Any] | None  # pairs: the bytes to write; None: those of the sentences alone
    n_columns: int
    parts: tuple[tuple[int, str, int], ...]  # (offset in the source, file, lines before it), one per file

    def comments(self, index: int) -> bytes:
        """The comment lines before the first word of a sentence."""
        begin, end = int(self.begins[index]), int(self.ends[index])
        at = begin
        while at < end and self.source[at] == ord("#"):
            at = self.source.index(b"\n", at, end) + 1
        return self.source[begin:at]

    def place(self, index: int) -> tuple[str, int]:
        """The file a sentence comes from, and its first line there."""
        part = bisect_right(self.parts, int(self.begins[index]), key=itemgetter(0)) - 1
        _, file, lines_before = self.parts[max(0, part)]
        return file, int(self.lines[index]) - lines_before


def layout_of(tokens: Tokenization) -> Layout:
    """Where the words of running text stand in the CoNLL-U of the tokens alone."""
    layout: Layout | None = tokens.read
    if layout is None:
        source = tokens.source()
        found, _ = read_block(
            source, 0, len(source), final=True, max_words=1 << 62, n_columns=10, go_on=False, heads=False
        )  # fmt: skip
        layout = tokens.read = Layout(
            source, found["head_at"], found["begins"], found["ends"], found["lines"],
            np.array([0, len(source)], np.int64), 10, ((0, "<bytes>", 0),),
        )  # fmt: skip
    return layout


@dataclass(frozen=True)
class Failures:
    """Sentences that are not in the treebank because they could not be read."""

    skipped: int = 0
    kept: int = 0
    problems: tuple[Problem, ...] = field(default=())


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
