"""Sentences that nobody wrote: words in place of others that have the same tags."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.encoder.inputs import ROOT

__all__ = ["Exchange"]

Array = np.ndarray[Any, Any]


class Exchange:
    """Puts other forms in the place of some, each form of a tag as likely as any other, however rare.

    A tree still fits most sentences that are made so; what does not fit any more, teachers will tell.
    """

    def __init__(self, rows: Array, kinds: Array, columns: int) -> None:
        """Args:
        rows: of the treebank's words and roots; kinds: of its words, by number: what is alike has the same.
        columns: the first of each row, which say what follows from a form.
        """
        words = np.flatnonzero(rows[:, 0] != ROOT)
        self._kinds = np.full(len(rows), -1, np.int64)
        self._kinds[words] = kinds
        found = np.unique(np.concatenate([kinds[:, None], rows[words, :columns]], 1), axis=0)
        self._forms = np.ascontiguousarray(found[:, 1:])
        self._first = np.searchsorted(found[:, 0], np.arange(int(kinds.max(initial=-1)) + 2))

    def apply(self, ids: Array, rows: Array, rate: float, source: np.random.Generator) -> None:
        """Changes some ids. Args: rows: which of the treebank's they are; rate: share of the words to change."""
        kinds = self._kinds[rows]
        chosen = np.flatnonzero((source.random(len(ids)) < rate) & (kinds >= 0))
        kinds = kinds[chosen]
        first, n = self._first[kinds], self._first[kinds + 1] - self._first[kinds]
        ids[chosen, : self._forms.shape[1]] = self._forms[first + (source.random(len(chosen)) * n).astype(np.int64)]
