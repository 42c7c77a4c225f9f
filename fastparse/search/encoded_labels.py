"""Labels that say where an arc was lifted from: put back into the trees that search gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.trees.pseudo_projective import LIFTED, ON_PATH, base, deprojectivize_treebank

__all__ = ["EncodedLabels"]


class EncodedLabels:
    """The labels search knows, and those parsing gives.

    Attributes:
        encoded: whether there is anything to restore.
        names: the labels parsing gives, by id: those search knows, then what they are without marks, if that is new.
    """

    def __init__(self, labels: tuple[str, ...], encoding: str | None) -> None:
        """Args: encoding: "head", "path" or "head+path"; None when labels are plain, and nothing is to be done."""
        self._known, self._encoding, self.encoded = labels, encoding, encoding is not None
        self.names = labels if encoding is None else tuple(dict.fromkeys([*labels, *map(base, labels)]))
        self._number = {label: i for i, label in enumerate(self.names)}
        self._marked = np.array([LIFTED in label or ON_PATH in label for label in labels])

    def restore(self, heads: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]) -> None:
        """Undo the encoding, in place.

        Args:
            heads, labels: of the words of some sentences, labels by id.
            offsets: where each of these sentences begins among these words, from 0 on, and their number.
        """
        if self._encoding is None:
            return
        words = np.flatnonzero(self._marked[labels])
        for s in np.unique(np.searchsorted(offsets, words, side="right") - 1).tolist():
            part = slice(int(offsets[s]), int(offsets[s + 1]))
            strings = [self._known[i] for i in labels[part].tolist()]
            bounds = [0, len(strings)]
            heads[part], strings = deprojectivize_treebank(heads[part], bounds, strings, self._encoding)
            labels[part] = [self._number[label] for label in strings]
