"""Scores on a development treebank while a parser is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.search.decoding import Decoder
    from fastparse.search.kinds.kind import Kind

__all__ = ["Development"]


class Development:
    """A treebank to compare decoders by: over every word, with full labels."""

    def __init__(self, treebank: Treebank, kind: Kind, beam: int, threads: int) -> None:
        """Args: beam, threads: decoders parse with."""
        self.treebank, self._beam, self._threads = treebank, beam, threads
        self._values = kind.values(treebank)
        number = {label: i for i, label in enumerate(kind.labels.names)}
        # Labels that training has not seen cannot be right, words without one neither.
        ids = [number.get(label, -1) for label in treebank.deprel_table] + [-1]
        self._labels = np.array(ids, np.int32)[treebank.deprel_ids]

    def scores(self, decoder: Decoder, heads: np.ndarray[Any, Any] | None = None) -> tuple[float, float]:
        """UAS and LAS.

        Args:
            heads: that are right, if they are not those of the treebank.
        """
        found, labels = decoder.decode(self.treebank, self._beam, self._threads, values=self._values)
        right = found == (self.treebank.heads if heads is None else heads)
        n = max(1, len(right))
        return 100 * int(right.sum()) / n, 100 * int((right & (labels == self._labels)).sum()) / n
