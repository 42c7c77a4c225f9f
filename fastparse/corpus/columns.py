"""Columns given as Python lists, to ids."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from fastparse.corpus.arrays import as_array, never_falls
from fastparse.corpus.strings.interning import StringTable
from fastparse.errors import Error

__all__ = [
    "REPLACEABLE", "checked_cells", "checked_labels", "checked_sent_ids", "column_of", "counted_offsets", "head_array",
    "labels_by_id", "replacement", "require_cells",
]  # fmt: skip

_WRITTEN = ("form", "lemma", "upos", "xpos", "feats", "misc")
REPLACEABLE = (*_WRITTEN[1:], "deps")


def counted_offsets(forms: Sequence[Any], offsets: Sequence[int] | None) -> tuple[Sequence[Any], np.ndarray[Any, Any]]:
    """All forms in one list, and where each sentence begins."""
    if offsets is not None:
        starts = as_array(offsets)
        sound = starts.ndim == 1 and len(starts) and starts.dtype.kind in "iu"
        sound = sound and starts[0] == 0 and starts[-1] == len(forms)
        starts = starts.astype(np.int64) if sound else starts
        if not sound or not never_falls(starts):
            raise Error(
                f"offsets run from 0 to the number of words ({len(forms)}) and never fall, one more than there are "
                f"sentences; got {offsets!r:.80}"
            )
        return forms, starts
    if len(forms) and not isinstance(forms[0], str):
        starts = np.zeros(len(forms) + 1, np.int64)
        np.cumsum([len(sentence) for sentence in forms], out=starts[1:])
        return [form for sentence in forms for form in sentence], starts
    return forms, np.array([0, len(forms)] if len(forms) else [0], np.int64)


def column_of(
    name: str, values: Sequence[Any] | None, n: int, starts: np.ndarray[Any, Any], *, nested: bool
) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Ids per word and the strings by id, in order of appearance."""
    if values is None:
        return np.zeros(n, np.int32), ["_"]
    flat = [value for sentence in values for value in sentence] if nested else values
    if len(flat) != n:
        raise Error(f"column {name!r} has {len(flat)} values for {n} words: give one each")
    known: dict[Any, int] = {}
    ids = np.array([known.setdefault(value, len(known)) for value in flat], np.int32)
    return ids.reshape(n), checked_cells(name, ids, list(known), starts)


def checked_cells(
    name: str, ids: np.ndarray[Any, Any], cells: Sequence[Any], starts: np.ndarray[Any, Any]
) -> list[str]:
    """The cells of a column by id as strings that CoNLL-U can hold; `_` for None, and for nothing but in forms."""
    strings = ["_" if value is None or (value == "" and name != "form") else value for value in cells]
    for i, string in enumerate(strings):
        if not isinstance(string, str):
            raise Error(f"{_where(ids, i, starts)}: {name} is {string!r}, not a string: convert the column first")
        if "\t" in string or "\n" in string or "\r" in string:
            raise Error(
                f"{_where(ids, i, starts)}: {name} {string!r} holds a tab or a line end, which CoNLL-U cannot: "
                f"replace it by a space"
            )
    return strings


def replacement(
    name: str, given: Any, strings: Sequence[str], n: int
) -> tuple[np.ndarray[Any, np.dtype[np.int32]], StringTable]:
    """Ids and strings that take the place of a column, -1 being `_`."""
    wide = as_array(given)
    if wide.shape != (n,) or (n and wide.dtype.kind not in "iu"):
        raise Error(f"column {name!r} needs {n} ids, whole numbers, one per word: found {wide.dtype} of {wide.shape}")
    if n and (wide.min() < -1 or wide.max() >= len(strings)):
        raise Error(f"column {name!r}: ids run from {wide.min()} to {wide.max()}, but there are {len(strings)} strings")
    ids = np.array(wide, np.int32)
    require_cells(name, strings)
    if n and ids.min() < 0:
        strings = [*strings, "_"]
        ids = np.where(ids < 0, np.int32(len(strings) - 1), ids)
    return ids, StringTable.of(strings)


def require_cells(name: str, strings: Sequence[str]) -> None:
    """Raise Error unless every string can stand in a cell of a column."""
    try:
        together = "".join(strings)
    except TypeError:  # there is something else among them
        together = "\t"
    if "\t" in together or "\n" in together or "\r" in together or not all(strings):
        wrong = next(s for s in strings if not isinstance(s, str) or not s or any(mark in s for mark in "\t\n\r"))
        raise Error(f"column {name!r}: {wrong!r} cannot stand in a cell; write `_` for nothing")


def _where(ids: np.ndarray[Any, Any], wanted: int, starts: np.ndarray[Any, Any]) -> str:
    word = int(np.argmax(ids == wanted))
    sentence = int(np.searchsorted(starts, word, side="right")) - 1
    return f"sentence {sentence + 1}, word {word - int(starts[sentence]) + 1}"


def head_array(heads: Any, n: int, *, nested: bool) -> np.ndarray[Any, Any]:
    """Heads as int32; None is -1."""
    if heads is None:
        return np.full(n, -1, np.int32)
    flat = [head for sentence in heads for head in sentence] if nested else heads
    if len(flat) != n:
        raise Error(f"{len(flat)} heads for {n} words: give one each")
    try:
        array = np.array([-1 if head is None else index(head) for head in flat], np.int64)
        if len(array) and (array.min() < -1 or array.max() > n):
            raise ValueError(f"{array.min() if array.min() < -1 else array.max()} is none of the {n} words")
    except (TypeError, ValueError, OverflowError) as error:
        raise Error(f"heads are integers, 0 for the root, -1 for none: {error}. Correct the column.") from None
    return array.astype(np.int32)


def checked_labels(labels: Sequence[Any]) -> list[str]:
    """A new list of labels, every one of which is a string.

    Raises:
        Error: for anything else.
    """
    for label in labels:
        if not isinstance(label, str):
            raise Error(f"the label {label!r:.80} is no string: labels are strings, and `_` stands for none")
    return list(labels)


def labels_by_id(table: Sequence[str], ids: np.ndarray[Any, Any]) -> list[str]:
    """The label of each id, `_` for -1.

    Raises:
        Error: for an id that is no place in the table.
    """
    try:
        return [table[i] if i >= 0 else "_" for i in ids.tolist()]
    except IndexError:
        raise Error(f"label id {ids.max()} is not in deprel_table, which has {len(table)} labels") from None


def checked_sent_ids(sent_ids: Sequence[str | None] | None, n: int) -> list[str | None] | None:
    """The sent_ids, if there is one for each of n sentences and each fits into a comment."""
    if sent_ids is None:
        return None
    if len(sent_ids) != n:
        raise Error(f"{len(sent_ids)} sent_ids for {n} sentences: give one each")
    for sent_id in sent_ids:
        if sent_id is not None and (not isinstance(sent_id, str) or "\n" in sent_id or "\r" in sent_id):
            raise Error(f"sent_id {sent_id!r} is no text of one line: rename it")
    return list(sent_ids)
