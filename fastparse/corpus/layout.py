"""Where the sentences of a treebank stand in the bytes they were read from, and what was not read."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import numpy as np

from fastparse.corpus.conllu.reader import read_block
from fastparse.corpus.conllu.tokenization import Tokenization
from fastparse.corpus.problems import Problem

__all__ = ["Failures", "Layout", "layout_of"]


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
    if tokens.read is None:
        source = tokens.source()
        found, _ = read_block(
            source, 0, len(source), final=True, max_words=1 << 62, n_columns=10, go_on=False, heads=False
        )  # fmt: skip
        tokens.read = Layout(
            source, found["head_at"], found["begins"], found["ends"], found["lines"],
            np.array([0, len(source)], np.int64), 10, ((0, "<bytes>", 0),),
        )  # fmt: skip
    return tokens.read


@dataclass(frozen=True)
class Failures:
    """Sentences that are not in the treebank because they could not be read."""

    skipped: int = 0
    kept: int = 0
    problems: tuple[Problem, ...] = field(default=())
