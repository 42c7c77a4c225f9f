"""Parsing the sentences of a treebank on several threads, and what it takes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.alternatives import with_trees
from fastparse.corpus.arrays import part_bounds
from fastparse.corpus.files.output import open_output
from fastparse.errors import Error
from fastparse.model.description import EncoderDescription
from fastparse.search.confidence import confidence, tree_confidence, with_notes
from fastparse.search.engine import EncoderEngine, Engine, Outcome
from fastparse.search.kinds import kind_of

if TYPE_CHECKING:
    import os

    from fastparse.corpus.treebank import Treebank
    from fastparse.machine.system import System
    from fastparse.model.description import SearchDescription
    from fastparse.search.engine import Loop
    from fastparse.search.kinds import Kind

__all__ = ["Decoder", "Work", "assembled", "write_stats"]

_WORDS_AT_A_TIME = 500_000  # rows of attributes that are made at once
_RANGES_PER_THREAD = 4
_WORDS_FOR_THREADS = 500  # times the beam: for fewer, threads cost more than they save
_WORDS_BETWEEN_SIGNALS = 100_000  # times the beam: a tenth of a second, more or less
_ROWS_AT_A_TIME = 10_000


@dataclass(frozen=True)
class Work:
    """What parsing takes, one item per sentence: the raw rows of timing studies.

    Attributes:
        words: in the sentence.
        transitions: of the derivation that gave the tree, int32.
        nanoseconds: from the sentence's first look at the weights to its tree, int64, without reading and writing.
        by_move: transitions of each kind, int32, a column per move as in the system's table; None unless asked for.
    """

    words: np.ndarray[Any, Any]
    transitions: np.ndarray[Any, Any]
    nanoseconds: np.ndarray[Any, Any]
    by_move: np.ndarray[Any, Any] | None = None


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
        self._label_list = list(self.labels)

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The weights as a file holds them."""
        return self.kind.arrays(self.weights)

    def put_into(self, treebank: Treebank, found: Outcome) -> tuple[Treebank, Work | None]:
        """A new treebank with heads and labels, and what each sentence took, as far as `decode` noted it.

        If it noted how sure the parser is, MISC gets that, and so it does other trees.
        """
        parsed: Treebank = type(treebank)._of_sheet(found.trees(treebank._sheet(), self._label_list))
        if found.logs is not None:
            parsed = with_notes(parsed, self.confidence(found))
        if found.tree_heads is not None and found.tree_labels is not None:
            probabilities = self.tree_probabilities(found)
            parsed = with_trees(parsed, found.tree_heads, found.tree_labels, self.labels, probabilities)
        if found.nanoseconds is None:
            return parsed, None
        words = np.diff(found.offsets).astype(np.int32)
        return parsed, Work(words, found.transitions, found.nanoseconds, found.by_move)

    def require_scores(self) -> None:
        """Raise Error if the parser cannot tell how sure it is."""
        if not isinstance(self.kind.description, EncoderDescription):
            raise Error(
                "scores of arcs: a linear model does not know how sure it is, its scores are no probabilities. Use one "
                "with an encoder: fastparse train --encoder small (encoder='small' in Python)"
            )

    def confidence(self, found: Outcome) -> np.ndarray[Any, Any]:
        """The probabilities [words, 2] that heads are right, and that heads and labels are."""
        description = self.kind.description
        assert isinstance(description, EncoderDescription)
        assert found.logs is not None
        return confidence(found.logs, description.confidence)

    def tree_probabilities(self, found: Outcome) -> np.ndarray[Any, Any]:
        """The probabilities [trees, sentences] that a tree is right with all its labels; 0 for trees that are not."""
        description = self.kind.description
        assert isinstance(description, EncoderDescription)
        assert found.tree_scores is not None
        return tree_confidence(found.tree_scores, description.tree_confidence)

    def decode(
        self, treebank: Treebank, beam: int, threads: int = 1, *, values: Any = None, own: Any = False,
        threshold: int | None = None, timed: bool = False, by_move: bool = False, scores: bool = False, k: int = 1,
    ) -> Outcome:  # fmt: skip
        """Heads and label ids (places in `labels`) of all words.

        Args:
            values: of the treebank, if they are made already.
            own: whether a tagger has said the tags, of all sentences or of each.
            threshold: states that score less than the best of a beam by more than this leave it; 0 keeps them all,
                None is what was found for the model.
            timed: note the time of each sentence.
            by_move: count transitions of each kind.
            scores: note `logs`, from which `confidence` tells how sure the parser is.
            k: note so many of the best trees of each sentence, and their scores.
        """
        if threshold is None:
            threshold = self.kind.description.threshold
        if scores or k > 1:
            self.require_scores()
        n_moves = len(self.kind.moves) if by_move else 0
        out = Outcome(treebank._sheet(), timed=timed, n_moves=n_moves, logs=scores, trees=k)
        if values is not None or out.n_words <= _WORDS_AT_A_TIME:
            if out.n_words:
                self._search(
                    self.kind.values(treebank, own) if values is None else values, out, beam, threshold, threads
                )
        else:
            for first, last in pairwise(part_bounds(out.offsets, _WORDS_AT_A_TIME)):
                part = treebank.select(range(first, last))
                values = self.kind.values(part, own if isinstance(own, bool) else own[first:last])
                self._search(values, out.part(first, last), beam, threshold, threads)
        self.kind.labels.restore(out)
        return out

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
        if threshold is None:
            threshold = self.kind.description.threshold
        made = 0
        while True:  # once to learn how many there are
            out = Outcome(treebank.offsets, steps=made)
            self.loop.parse(values, out, 0, 1, beam, threshold)
            if out.transitions[0] == made:
                break
            made = int(out.transitions[0])
        system = self.loop.system
        found = [] if out.steps is None else out.steps.tolist()
        named = [(system.moves[move], self.labels[label]) for move, label in found]
        return system, [f"{move}:{label}" if system.labelled(move) else move for move, label in named]

    def _search(self, values: Any, out: Outcome, beam: int, threshold: int, threads: int) -> None:
        n, work = out.n, out.n_words * beam
        # Ctrl-C and other signals are answered between two ranges.
        n_ranges = work // _WORDS_BETWEEN_SIGNALS + 1
        if threads > 1 and work >= _WORDS_FOR_THREADS:
            n_ranges = max(n_ranges, threads * _RANGES_PER_THREAD)
        if n_ranges == 1 or n == 1:
            self.loop.parse(values, out, 0, n, beam, threshold)
            return
        shares = [out.n_words * k // n_ranges for k in range(1, n_ranges)]
        ranges = list(pairwise(sorted({0, n, *np.searchsorted(out.offsets[:-1], shares).tolist()})))
        if threads == 1:
            for first, last in ranges:
                self.loop.parse(values, out, first, last, beam, threshold)
            return
        with ThreadPoolExecutor(threads) as pool:
            waiting = [pool.submit(self.loop.parse, values, out, *bounds, beam, threshold) for bounds in ranges]
            try:
                for done in waiting:
                    done.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def assembled(description: SearchDescription, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Decoder:
    """A decoder of weights from outside.

    Raises:
        Error: if description and weights cannot be used together.
    """
    kind = kind_of(description, arrays)
    return Decoder(kind, kind.weights(arrays))


def write_stats(
    path: str | os.PathLike[str], summary: dict[str, Any], system: str, beam: int, parts: Iterable[Work]
) -> None:
    """Write a JSON object: the summary, and under "rows" an object per sentence, a line each."""
    head = json.dumps({**summary, "system": system, "beam": beam}, indent=2)
    common = f'"beam": {beam}, "system": {json.dumps(system)}}}'
    with open_output(path) as out:
        out.write(f'{head[:-2]},\n  "rows": ['.encode())
        separator = "\n"
        for part in parts:
            for start in range(0, len(part.words), _ROWS_AT_A_TIME):
                rows = slice(start, start + _ROWS_AT_A_TIME)
                columns = (part.words[rows].tolist(), part.transitions[rows].tolist(), part.nanoseconds[rows].tolist())
                lines = ",\n".join(
                    f'    {{"words": {n}, "transitions": {m}, "nanoseconds": {t}, {common}'
                    for n, m, t in zip(*columns, strict=True)
                )
                out.write(f"{separator}{lines}".encode())
                separator = ",\n"
        out.write(b"\n  ]\n}\n")
