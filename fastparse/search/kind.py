"""What a kind of search offers to parsing and to learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.model.description import SearchDescription
    from fastparse.search.encoded_labels import EncodedLabels

__all__ = ["Kind", "Loop"]


class Loop(Protocol):
    """What parses: a search with its weights. Parsing does not change it, so any number of threads may use one."""

    def parse(
        self, values: Any, offsets: Any, first: int, last: int, beam: int, heads: Any, labels: Any, transitions: Any,
        nanoseconds: Any = None, *, by_move: Any = None, threshold: int = 0,
    ) -> Any:  # fmt: skip
        """Parse sentences first..last-1 into heads and labels; see `Engine.parse`."""
        ...


class Kind(Protocol):
    """A search without weights, made once from a description.

    Attributes:
        labels: that parsing gives.
        columns: besides forms, that scores depend on, or would if training had seen something in them.

    Weights are whatever the kind makes of the arrays of a file: tables for linear models.
    """

    labels: EncodedLabels
    columns: frozenset[str]

    @property
    def description(self) -> SearchDescription:
        """What the kind was made from."""
        ...

    @property
    def moves(self) -> tuple[str, ...]:
        """The transitions of parsing, in the order in which they are counted."""
        ...

    def values(self, treebank: Treebank, own: Any = False) -> Any:
        """What scores are computed from, word by word.

        Args:
            own: whether a tagger has said the tags, of all sentences or of each; weights of features read all alike.
        """
        ...

    def weights(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Any:
        """The weights in arrays from outside; raises Error if they cannot be used."""
        ...

    def arrays(self, weights: Any) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays `weights` makes the weights of again."""
        ...

    def loop(self, weights: Any) -> Loop:
        """What parses with these weights."""
        ...
