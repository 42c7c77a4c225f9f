"""Arrays that compiled code reads: checked where they come in, and read-only or of a fixed shape afterwards."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from fastparse.errors import Error

__all__ = ["Integers", "as_array", "frozen", "never_falls", "part_bounds", "rises", "whole_numbers"]

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int32]]"
_INT32 = np.iinfo(np.int32)


def frozen(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same items, in an array that cannot be made writable."""
    if not array.flags.writeable:
        return array
    return np.asarray(array.data.toreadonly())


def never_falls(array: np.ndarray[Any, Any]) -> bool:
    """Whether no number is less than the one before it. They are compared: differences wrap around."""
    return bool((array[1:] >= array[:-1]).all())


def rises(array: np.ndarray[Any, Any]) -> bool:
    """Whether each number is greater than the one before it."""
    return bool((array[1:] > array[:-1]).all())


def as_array(values: Any) -> np.ndarray[Any, Any]:
    """What numpy makes of values; of lists of different lengths, say, an array without dimensions."""
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        return np.array(None)


def whole_numbers(values: Any, n: int, what: str, least: int = _INT32.min, most: int = _INT32.max) -> Integers:
    """A new int32 array of n numbers that are whole as they are given: nothing is rounded, cut or wrapped.

    Args:
        what: they are, for messages.
        least, most: what they may be.

    Raises:
        Error: if they are not n whole numbers, or one is too small or too large.
    """
    given = as_array(values)
    if given.shape != (n,) or (n and given.dtype.kind not in "iu"):
        raise Error(
            f"{what}: expected {n} whole numbers in one dimension, one per word; found {given.dtype} of shape "
            f"{given.shape}"
        )
    if n and (int(given.min()) < least or int(given.max()) > most):
        wrong = int(np.argmax((given < least) | (given > most)))
        raise Error(f"{what}: number {wrong + 1} is {given[wrong]}, expected {least} to {most}")
    return np.array(given, np.int32)


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
