"""Sentences read from the right: word w of n is word n + 1 - w, and the root stays in front of all words."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["backwards", "mirrored_heads"]

Ints = np.ndarray[Any, Any]


def backwards(offsets: Ints) -> Ints:
    """The places of all words, those of each sentence from its last word to its first: its own inverse."""
    ends = np.repeat(offsets[:-1] + offsets[1:], np.diff(offsets))
    return np.asarray(ends - np.arange(len(ends)) - 1)


def mirrored_heads(heads: Ints, offsets: Ints) -> Ints:
    """The trees with their words from right to left. A projective tree stays one.

    Example:
        >>> mirrored_heads(np.array([2, 0, 2, 0]), np.array([0, 3, 4])).tolist()
        [2, 0, 2, 0]
    """
    n = np.repeat(np.diff(offsets), np.diff(offsets))
    return np.where(heads > 0, n + 1 - heads, 0).astype(np.int32)[backwards(offsets)]
