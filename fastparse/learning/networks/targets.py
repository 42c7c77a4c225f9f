"""What outputs besides the parser learn and say: a class per word, named by a string."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.inputs import NOTHING, ROOT, Inputs

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["TAGS", "class_numbers", "class_strings", "columns_with_tags", "split_tags", "without_tags"]

TAGS = "tags"  # UPOS, XPOS and FEATS of a word as one class
_COLUMNS = ("upos", "xpos", "feats")
_BETWEEN = "\t"


def _strings(treebank: Treebank, name: str) -> tuple[list[str], np.ndarray[Any, Any]]:
    """All strings of a target and which one each word has."""
    if name != TAGS:
        return treebank.table(name), np.asarray(treebank.ids(name))
    ids = np.stack([np.asarray(treebank.ids(column)) for column in _COLUMNS], 1)
    found, which = np.unique(ids, axis=0, return_inverse=True)
    tables = [treebank.table(column) for column in _COLUMNS]
    tags = [_BETWEEN.join(tables[k][i] for k, i in enumerate(row)) for row in found.tolist()]
    return tags, which.reshape(-1)


def class_strings(treebank: Treebank, name: str) -> tuple[str, ...]:
    """The classes that training sees."""
    table, ids = _strings(treebank, name)
    return tuple(sorted({table[i] for i in np.unique(ids).tolist()})) or ("",)


def class_numbers(treebank: Treebank, name: str, classes: Sequence[str]) -> np.ndarray[Any, Any]:
    """The class of each word; -1 if it is none of these."""
    table, ids = _strings(treebank, name)
    known = {string: i for i, string in enumerate(classes)}
    numbers: np.ndarray[Any, Any] = np.array([known.get(string, -1) for string in table], np.int32)[ids]
    return numbers


def split_tags(tags: str) -> dict[str, str]:
    """UPOS, XPOS and FEATS of a class of TAGS."""
    return dict(zip(_COLUMNS, tags.split(_BETWEEN), strict=True))


def columns_with_tags(treebank: Treebank) -> tuple[str, ...]:
    """Those of UPOS, XPOS and FEATS in which some word has something."""

    def filled(column: str) -> bool:
        table = treebank.table(column)
        return any(table[i] not in ("_", "") for i in np.unique(np.asarray(treebank.ids(column))).tolist())

    return tuple(column for column in _COLUMNS if filled(column))


def without_tags(rows: np.ndarray[Any, Any], inputs: Inputs) -> np.ndarray[Any, Any]:
    """The rows of words (see `Inputs.rows`) as if these came without tags and features."""
    rows = rows.copy()
    rows[rows[:, 0] != ROOT, inputs.columns()["tag"][0] :] = NOTHING
    return rows
