"""What outputs besides the parser learn and say: a class per word, named by a string."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.inputs import NOTHING, ROOT, Inputs

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["class_numbers", "class_strings", "without_tags"]


def class_strings(treebank: Treebank, name: str) -> tuple[str, ...]:
    """The classes that training sees."""
    table, ids = treebank.table(name), np.asarray(treebank.ids(name))
    return tuple(sorted({table[i] for i in np.unique(ids).tolist()})) or ("",)


def class_numbers(treebank: Treebank, name: str, classes: Sequence[str]) -> np.ndarray[Any, Any]:
    """The class of each word; -1 if it is none of these."""
    table, ids = treebank.table(name), np.asarray(treebank.ids(name))
    known = {string: i for i, string in enumerate(classes)}
    numbers: np.ndarray[Any, Any] = np.array([known.get(string, -1) for string in table], np.int32)[ids]
    return numbers


def without_tags(rows: np.ndarray[Any, Any], inputs: Inputs) -> np.ndarray[Any, Any]:
    """The rows of words (see `Inputs.rows`) as if these came without tags and features."""
    rows = rows.copy()
    rows[rows[:, 0] != ROOT, inputs.columns()["tag"][0] :] = NOTHING
    return rows
