"""Parsing the sentences of a treebank on several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.arrays import part_bounds
from fastparse.errors import Error
from fastparse.model.description import EncoderDescription
from fastparse.search.confidence import confidence, with_notes
from fastparse.search.encoder_engine import EncoderEngine
from fastparse.search.engine import MAX_BEAM, Engine
from fastparse.search.measuring import Work

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.machine.system import System
    from fastparse.search.kind import Kind, Loop

__all__ = ["Decoder", "is_beam", "is_count"]

_WORDS_AT_A_TIME = 500_000  # rows of attributes that are made at once
_RANGES_PER_THREAD = 4
_WORDS_BETWEEN_SIGNALS = 100_000  # times the beam: a tenth of a second, more or less


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 1, of Python's or of numpy's."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


def is_beam(value: Any) -> bool:
    """Whether a value can be the size of a beam."""
    return is_count(value) and int(value) <= MAX_BEAM


class Decoder:
    """A kind of search with weights, ready to parse. It never changes, so any number of threads may use one.

    Attributes:
        kind: of search, with the description it was made from.
        weights: as the kind has made them.
        loop: what parses.
        labels: the labels it gives, by id.
    """

    def __init__(self, kind: Kind, weights: Any, loop: Loop | None = None) -> None:
        """Args: loop: what parses, if that is a part of the kind's search only."""
        self.kind, self.weights = kind, weights
        self.loop = kind.loop(weights) if loop is None else loop
        self.labels = kind.labels.names

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The weights as a file holds them."""
        return self.kind.arrays(self.weights)

    def parsed(
        self, treebank: Treebank, beam: int, threads: int = 1, *, timed: bool = False, by_move: bool = False,
        own: Any = False, threshold: int | None = None, scores: bool = False,
    ) -> tuple[Treebank, Work | None]:  # fmt: skip
        """A new treebank with heads and labels, and with `timed` what each sentence took.

        Args:
            by_move: count transitions of each kind as well.
            own: whether a tagger has said the tags, of all sentences or of each.
            threshold: see `decode`.
            scores: write into MISC how sure the parser is.
        """
        work = Work.of(treebank.offsets, len(self.kind.moves) if by_move else 0) if timed else None
        logs = self.logs(treebank.n_words) if scores else None
        heads, labels = self.decode(treebank, beam, threads, work, own=own, threshold=threshold, logs=logs)
        parsed = treebank.with_heads(heads, labels, self.labels)
        return parsed if logs is None else with_notes(parsed, self.confidence(logs)), work

    def logs(self, n_words: int) -> np.ndarray[Any, Any]:
        """Room for how sure the parser is of so many words.

        Raises:
            Error: if it cannot tell.
        """
        if not isinstance(self.kind.description, EncoderDescription):
            raise Error(
                "scores of arcs: a linear model does not know how sure it is, its scores are no probabilities. Use one "
                "with an encoder: fastparse train --encoder small (encoder='small' in Python)"
            )
        return np.zeros((2, n_words), np.int32)

    def confidence(self, logs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The probabilities [words, 2] that heads are right, and that heads and labels are."""
        description = self.kind.description
        assert isinstance(description, EncoderDescription)
        return confidence(logs, description.confidence)

    def decode(
        self, treebank: Treebank, beam: int, threads: int = 1, work: Work | None = None, values: Any = None,
        *, own: Any = False, threshold: int | None = None, logs: np.ndarray[Any, Any] | None = None,
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:  # fmt: skip
        """Heads and label ids (places in `labels`) of all words.

        Args:
            work: gets what each sentence took.
            values: of the treebank, if they are made already.
            own: whether a tagger has said the tags, of all sentences or of each.
            threshold: states that score less than the best of a beam by more than this leave it; 0 keeps them all,
                None is what was found for the model.
            logs: int32 [2, words]: gets how sure an encoder is of arcs and labels, see `EncoderEngine.parse`.
        """
        if threshold is None:
            threshold = self.kind.description.threshold
        offsets = np.ascontiguousarray(treebank.offsets, np.int64)
        n, n_words = len(offsets) - 1, int(offsets[-1])
        heads, labels = np.zeros(n_words, np.int32), np.zeros(n_words, np.int32)
        whole = values is not None or n_words <= _WORDS_AT_A_TIME
        for first, last in [(0, n)] if whole else pairwise(part_bounds(offsets, _WORDS_AT_A_TIME)):
            words = slice(int(offsets[first]), int(offsets[last]))
            if words.start == words.stop:
                continue
            rows = values
            if rows is None:
                said = own if isinstance(own, bool) else own[first:last]
                rows = self.kind.values(treebank if whole else treebank.select(range(first, last)), said)
            # Offsets count from the first word of the part, as rows, heads and labels do.
            starts = offsets[first : last + 1] - offsets[first]
            part = work and work.part(first, last)
            sure = None if logs is None else np.zeros((2, words.stop - words.start), np.int32)
            self._search(rows, starts, beam, threshold, threads, heads[words], labels[words], part, sure)
            if logs is not None:
                logs[:, words] = sure
            if self.kind.labels.encoded:
                self.kind.labels.restore(heads[words], labels[words], starts)
        return heads, labels

    def steps(
        self, treebank: Treebank, beam: int, *, own: Any = False, threshold: int | None = None
    ) -> tuple[System, list[str]]:
        """The moves that parsing a treebank of one sentence makes, as configurations of the system apply them.

        Words that have no head after the last one are given theirs without a move.

        Raises:
            Error: if the parser does not work in the moves of one system.
        """
        if not isinstance(self.loop, (Engine, EncoderEngine)):
            raise Error(
                f"{self.kind.description.system!r} does not build a tree by the moves of one configuration: see how "
                f"its oracle would, with fastparse.derive"
            )
        values = self.kind.values(treebank, own)
        offsets = np.ascontiguousarray(treebank.offsets, np.int64)
        heads, labels = np.zeros((2, treebank.n_words), np.int32)
        made = np.zeros(1, np.int32)
        found = np.zeros((0, 2), np.int32)
        if threshold is None:
            threshold = self.kind.description.threshold
        while True:  # once to learn how many there are
            self.loop.parse(values, offsets, 0, 1, beam, heads, labels, made, threshold=threshold, steps=found)
            if made[0] == len(found):
                break
            found = np.zeros((int(made[0]), 2), np.int32)
        system = self.loop.system
        named = [(system.moves[move], self.labels[label]) for move, label in found.tolist()]
        return system, [f"{move}:{label}" if system.labelled(move) else move for move, label in named]

    def _search(
        self, values: Any, offsets: np.ndarray[Any, Any], beam: int, threshold: int, threads: int,
        heads: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], work: Work | None,
        logs: np.ndarray[Any, Any] | None,
    ) -> None:  # fmt: skip
        n = len(offsets) - 1
        transitions = np.zeros(n, np.int32) if work is None else work.transitions
        more: dict[str, Any] = {} if work is None else {"nanoseconds": work.nanoseconds, "by_move": work.by_move}
        if beam > 1:
            more["threshold"] = threshold
        if logs is not None:
            more["logs"] = logs

        def parse(first: int, last: int) -> None:
            self.loop.parse(values, offsets, first, last, beam, heads, labels, transitions, **more)

        # Ctrl-C and other signals are answered between two ranges.
        n_ranges = int(offsets[n]) * beam // _WORDS_BETWEEN_SIGNALS + 1
        if threads > 1:
            n_ranges = max(n_ranges, threads * _RANGES_PER_THREAD)
        if n_ranges == 1 or n == 1:
            parse(0, n)
            return
        shares = [int(offsets[n]) * k // n_ranges for k in range(1, n_ranges)]
        bounds = sorted({0, n, *np.searchsorted(offsets[:-1], shares).tolist()})
        if threads == 1:
            for first, last in pairwise(bounds):
                parse(first, last)
            return
        with ThreadPoolExecutor(threads) as pool:
            waiting = [pool.submit(parse, first, last) for first, last in pairwise(bounds)]
            try:
                for done in waiting:
                    done.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
