"""What a network with a parser is to learn, whoever has prepared it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["Task"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Task:
    """Sentences, their trees, and the derivations of these.

    Attributes:
        heads, label_ids: of all words.
        labels: by id; root_labels, inner_labels: ids that arcs from the root, and others, may carry.
        moves, move_labels, starts: sentence i has moves[starts[i]:starts[i + 1]], with a label each.
    """

    treebank: Treebank
    heads: Array
    label_ids: Array
    labels: tuple[str, ...]
    root_labels: tuple[int, ...]
    inner_labels: tuple[int, ...]
    single_root: bool
    moves: Array
    move_labels: Array
    starts: Array
