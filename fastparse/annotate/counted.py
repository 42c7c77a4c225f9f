"""Sentences through a function, with reports of how many there have been."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from fastparse.annotate.stream import Report
from fastparse.corpus.derived import in_parts
from fastparse.corpus.treebank import Treebank
from fastparse.progress import Progress, reporter, words_of

__all__ = ["Counted"]

_WORDS_AT_A_TIME = 50_000  # a second of the slowest parsers


class Counted:
    """A function of sentences which says how far it is, if somebody asks."""

    def __init__(self, progress: Progress, change: Callable[[Treebank], Treebank] = lambda treebank: treebank) -> None:
        """Args: progress: as for `Parser.parse`. change: gives the same sentences; they stay as they are without it."""
        self._change, self._tell = change, reporter(progress, words_of)
        self._report, self._begun = Report(), perf_counter()

    def whole(self, treebank: Treebank) -> Treebank:
        """A treebank through it, in parts where these are to be told of."""
        if self._tell is None:
            return self._change(treebank)
        words = treebank.n_words
        return in_parts(treebank, lambda part: self(part, words), _WORDS_AT_A_TIME)

    def __call__(self, part: Treebank, words: int = 0) -> Treebank:
        """Some sentences through it. Args: words: of all, if that is known."""
        found = self._change(part)
        self.tell(found, (self._report.words + found.n_words) / words if words else None)
        return found

    def tell(self, part: Treebank, share: float | None = None) -> None:
        """Say that some sentences more are done, and which share of all that makes."""
        if self._tell is None:
            return
        report = self._report
        report.sentences += len(part)
        report.words += part.n_words
        report.seconds = perf_counter() - self._begun
        report.share = share
        self._tell(report)
