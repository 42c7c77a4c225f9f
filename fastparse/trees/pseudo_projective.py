"""Pseudo-projective encodings: projective trees whose labels say how to get the non-projective arcs back (Nivre & Nilsson, 2005).

    encoding     a lifted word with label d, whose head had label h     a word on the path from its new head to its old one, label p
    head         d↑h                                                    p
    path         d↑                                                     p↓
    head+path    d↑h                                                    p↓

Both marks can meet on one label: d↑h↓. To restore, the head of a lifted word is sought below its present head, breadth first and from left
to right: for "head", the first word with label h; for "path", the first end of a chain of ↓ words; for "head+path", the first ↓ word with label h,
then as for "path", then as for "head".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fastparse.errors import Error, UnknownNameError
from fastparse.trees.heads import check_tree
from fastparse.trees.projectivizing import projective_treebank

__all__ = [
    "ENCODINGS",
    "deprojectivize",
    "deprojectivize_treebank",
    "projectivize",
    "projectivize_treebank",
]

ENCODINGS = ("head", "path", "head+path")
LIFTED, ON_PATH = "↑", "↓"


def projectivize(heads: Sequence[int], labels: Sequence[str], encoding: str = "head") -> tuple[list[int], list[str]]:
    """Make a tree projective and write into its labels how to undo it.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.
        labels: labels[i - 1] is the label of the arc into word i.
        encoding: "head", "path" or "head+path".

    Returns:
        (heads, labels): a projective tree; projective trees come back as they are.

    Raises:
        Error: not a tree, or a label that holds one of the marks ↑ and ↓ already.

    Example:
        >>> projectivize([3, 0, 2], ["obj", "root", "comp"], "head")
        ([2, 0, 2], ['obj↑comp', 'root', 'comp'])
    """
    new_heads, new_labels = projectivize_treebank(heads, [0, len(heads)], labels, encoding)
    return new_heads.tolist(), new_labels


def deprojectivize(heads: Sequence[int], labels: Sequence[str], encoding: str = "head") -> tuple[list[int], list[str]]:
    """Move lifted words back to where their labels say, and clear the marks.

    Args:
        heads: a tree, by `projectivize` or by a parser trained on such trees.
        labels: its labels, with marks.
        encoding: the encoding they were written with.

    Returns:
        (heads, labels): always a tree. A word whose old head cannot be found stays where it is.

    Example:
        >>> deprojectivize([2, 0, 2], ["obj↑comp", "root", "comp"], "head")
        ([3, 0, 2], ['obj', 'root', 'comp'])
    """
    new_heads, new_labels = deprojectivize_treebank(heads, [0, len(heads)], labels, encoding)
    return new_heads.tolist(), new_labels


def projectivize_treebank(
    heads: Any, offsets: Any, labels: Sequence[str], encoding: str = "head"
) -> tuple[np.ndarray[Any, Any], list[str]]:
    """`projectivize` every sentence of a treebank; sentence s has the words offsets[s]:offsets[s + 1]."""
    _check(heads, labels, encoding)
    for label in set(labels):
        if LIFTED in label or ON_PATH in label:
            raise Error(f"label {label!r} holds a mark of the encoding, {LIFTED} or {ON_PATH}: rename it first")
    heads = np.asarray(heads)
    projective = projective_treebank(heads, offsets)
    result = list(labels)
    for start, stop in _sentences(offsets, np.flatnonzero(projective != heads)):
        result[start:stop] = _encode(
            heads[start:stop].tolist(), projective[start:stop].tolist(), result[start:stop], encoding
        )
    return projective, result


def deprojectivize_treebank(
    heads: Any, offsets: Any, labels: Sequence[str], encoding: str = "head"
) -> tuple[np.ndarray[Any, Any], list[str]]:
    """`deprojectivize` every sentence of a treebank; sentence s has the words offsets[s]:offsets[s + 1]."""
    _check(heads, labels, encoding)
    restored = np.array(heads, dtype=np.int32)
    marked = {label for label in set(labels) if LIFTED in label or ON_PATH in label}
    result = list(labels)
    places = [i for i, label in enumerate(labels) if label in marked] if marked else []
    for start, stop in _sentences(offsets, np.array(places, dtype=np.int64)):
        check_tree(restored[start:stop])
        restored[start:stop] = _decode(restored[start:stop].tolist(), result[start:stop], encoding)
    for i in places:
        result[i] = base(result[i])
    return restored, result


def base(label: str) -> str:
    """The label without its marks."""
    return label.partition(LIFTED)[0].removesuffix(ON_PATH)


def _check(heads: Any, labels: Sequence[str], encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise UnknownNameError(f"unknown encoding {encoding!r}; expected one of {', '.join(ENCODINGS)}")
    if len(labels) != len(heads):
        raise Error(f"{len(heads)} heads and {len(labels)} labels; expected one label per word")


def _sentences(offsets: Any, words: np.ndarray[Any, Any]) -> Iterator[tuple[int, int]]:
    """Bounds of the sentences that hold some of `words`."""
    bounds = np.asarray(offsets)
    for s in np.unique(np.searchsorted(bounds, words, side="right") - 1).tolist():
        yield int(bounds[s]), int(bounds[s + 1])


def _encode(heads: list[int], projective: list[int], labels: list[str], encoding: str) -> list[str]:
    n = len(heads)
    lifted = [m for m in range(1, n + 1) if heads[m - 1] != projective[m - 1]]
    marks = [""] * (n + 1)
    if encoding != "head":
        for m in lifted:
            # The path is the one in the projective tree, for that is where it will be followed. An old head that was itself lifted
            # above the new one has none.
            path = []
            at = heads[m - 1]
            while at not in (0, projective[m - 1]):
                path.append(at)
                at = projective[at - 1]
            if at != 0 or projective[m - 1] == 0:
                for word in path:
                    marks[word] = ON_PATH
    encoded = list(labels)
    for m in lifted:
        encoded[m - 1] += LIFTED
        if encoding != "path":
            encoded[m - 1] += labels[heads[m - 1] - 1]
    return [label + mark for label, mark in zip(encoded, marks[1:], strict=True)]


def _decode(heads: list[int], labels: list[str], encoding: str) -> list[int]:
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for m, head in enumerate(heads, 1):
        children[head].append(m)
    restored = list(heads)
    for m in _breadth_first(0, children, None):
        if LIFTED not in labels[m - 1]:
            continue
        target = _old_head(m, heads[m - 1], children, labels, encoding)
        if target is not None and not _is_above(m, target, restored):
            restored[m - 1] = target
    return restored


def _old_head(m: int, start: int, children: list[list[int]], labels: list[str], encoding: str) -> int | None:
    sought = labels[m - 1].partition(LIFTED)[2].removesuffix(ON_PATH)
    if encoding != "head":
        ends = None
        for word in _breadth_first(start, children, m, labels):
            if encoding == "head+path" and base(labels[word - 1]) == sought:
                return word
            if ends is None and not any(labels[c - 1].endswith(ON_PATH) for c in children[word] if c != m):
                ends = word
        if ends is not None or encoding == "path":
            return ends
    for word in _breadth_first(start, children, m):
        if base(labels[word - 1]) == sought:
            return word
    return None


def _breadth_first(
    start: int, children: list[list[int]], without: int | None, along: list[str] | None = None
) -> Iterator[int]:
    """Words below `start`, level by level, without the subtree of one; with labels, only along ↓ words."""
    level = [start]
    while level:
        below = []
        for word in level:
            for child in children[word]:
                if child != without and (along is None or along[child - 1].endswith(ON_PATH)):
                    below.append(child)
        yield from below
        level = below


def _is_above(m: int, word: int, heads: list[int]) -> bool:
    while word != 0:
        if word == m:
            return True
        word = heads[word - 1]
    return False
