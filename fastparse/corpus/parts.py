"""Dividing the sentences of a treebank."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["part_bounds"]


def part_bounds(offsets: np.ndarray[Any, Any], words: int) -> list[int]:
    """Sentences between which a treebank is divided, so that a part has at most so many words, or one sentence.

    >>> part_bounds(np.array([0, 3, 5, 12, 13]), 6)
    [0, 2, 3, 4]
    """
    bounds = [0]
    while bounds[-1] < len(offsets) - 1:
        enough = int(offsets[bounds[-1]]) + words
        bounds.append(max(bounds[-1] + 1, int(np.searchsorted(offsets, enough, side="right")) - 1))
    return bounds
