"""What parsing takes, sentence by sentence: the raw rows of timing studies."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.files.output import open_output

if TYPE_CHECKING:
    import os

__all__ = ["Work", "write_stats"]

_ROWS_AT_A_TIME = 10_000


@dataclass(frozen=True)
class Work:
    """One item per sentence.

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

    @classmethod
    def of(cls, offsets: np.ndarray[Any, Any], n_moves: int = 0) -> Work:
        """Zeros for the sentences between these offsets, with columns for so many moves."""
        n = len(offsets) - 1
        by_move = np.zeros((n, n_moves), np.int32) if n_moves else None
        return cls(np.diff(offsets).astype(np.int32), np.zeros(n, np.int32), np.zeros(n, np.int64), by_move)

    def part(self, first: int, last: int) -> Work:
        """Sentences first to last - 1, as views."""
        by_move = None if self.by_move is None else self.by_move[first:last]
        return Work(self.words[first:last], self.transitions[first:last], self.nanoseconds[first:last], by_move)


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
                piece = part.part(start, start + _ROWS_AT_A_TIME)
                columns = (piece.words.tolist(), piece.transitions.tolist(), piece.nanoseconds.tolist())
                lines = ",\n".join(
                    f'    {{"words": {n}, "transitions": {m}, "nanoseconds": {t}, {common}'
                    for n, m, t in zip(*columns, strict=True)
                )
                out.write(f"{separator}{lines}".encode())
                separator = ",\n"
        out.write(b"\n  ]\n}\n")
