"""Pseudo-projective encodings: projective trees whose labels say how to get the rest back (Nivre & Nilsson, 2005).

    encoding     label d of a lifted word, whose head had label h    label p on the path from the new head to the old
    head         d↑h                                                 p
    path         d↑                                                  p↓
    head+path    d↑h                                                 p↓

Both marks can meet on one label: d↑h↓. A word in the middle of two paths is marked once.

To restore, lifted words are taken from the top down. The head of each is sought below its present head, in the tree
restored so far, breadth first and from left to right, among words on which it could not have hung projectively: for
"head", the first word with label h; for "path", the first end of a chain of ↓ words, if possible one no word has gone
back to; for "head+path", the first end of a chain with label h, then the first word of one with label h, then as for
"path", then as for "head".
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fastparse.errors import Error, UnknownNameError
from fastparse.trees.lifting import projective_treebank
from fastparse.trees.tree import check_tree, checked_heads

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
    heads, offsets = checked_heads(heads, offsets)
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
    restored, offsets = checked_heads(heads, offsets)
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
            at = heads[m - 1]
            while at != projective[m - 1]:
                marks[at] = ON_PATH
                at = heads[at - 1]
    encoded = list(labels)
    for m in lifted:
        encoded[m - 1] += LIFTED
        if encoding != "path":
            encoded[m - 1] += labels[heads[m - 1] - 1]
    return [label + mark for label, mark in zip(encoded, marks[1:], strict=True)]


def _decode(heads: list[int], labels: list[str], encoding: str) -> list[int]:
    tree = _Tree(heads, labels)
    for m in list(tree.below(0)):
        if LIFTED not in labels[m - 1]:
            continue
        target = _old_head(tree, m, encoding)
        if target is not None:
            # The search never enters the subtree of m, so the result stays a tree.
            tree.move(m, target)
    return tree.heads


def _old_head(tree: _Tree, m: int, encoding: str) -> int | None:
    """The word m hung on before it was lifted, as far as the labels tell."""
    start = tree.heads[m - 1]
    sought = tree.labels[m - 1].partition(LIFTED)[2].removesuffix(ON_PATH)
    # m would not have been lifted past a word it can hang on projectively, so such words are passed over; only when
    # nothing is found without them (in parser output, or where lifts met) are they tried too.
    for crossing_only in (True, False):
        if encoding != "head":
            end = named = None
            for word in tree.below(start, lifted=m, marked=True, crossing_only=crossing_only):
                if encoding == "head+path" and base(tree.labels[word - 1]) == sought:
                    if tree.ends_path(word, m):
                        return word
                    if named is None:
                        named = word
                if tree.ends_path(word, m) and (end is None or (end in tree.targets and word not in tree.targets)):
                    end = word
            if named is not None or end is not None:
                return end if named is None else named
        if encoding != "path":
            for word in tree.below(start, lifted=m, crossing_only=crossing_only):
                if base(tree.labels[word - 1]) == sought:
                    return word
    return None


class _Tree:
    """A tree with marked labels, projective at first, on its way to the restored one."""

    def __init__(self, heads: list[int], labels: list[str]) -> None:
        self.heads = list(heads)
        self.labels = labels
        self.targets: set[int] = set()  # words that got a lifted word back
        self.marked = [False, *(label.endswith(ON_PATH) for label in labels)]
        self.children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
        for m, head in enumerate(heads, 1):
            self.children[head].append(m)
        # Leftmost and rightmost word of each subtree, before anything is restored.
        self.first = list(range(len(heads) + 1))
        self.last = list(range(len(heads) + 1))
        for m in reversed(list(self.below(0))):
            head = heads[m - 1]
            self.first[head] = min(self.first[head], self.first[m])
            self.last[head] = max(self.last[head], self.last[m])

    def below(
        self, start: int, lifted: int | None = None, marked: bool = False, crossing_only: bool = False
    ) -> Iterator[int]:
        """Words below `start`, level by level, without the subtree of `lifted`.

        With `marked`, only along ↓ words; with `crossing_only`, only along words from which an arc into `lifted` would
        not be projective.
        """
        level = [start]
        while level:
            level = [
                child
                for word in level
                for child in self.children[word]
                if child != lifted
                and (not marked or self.marked[child])
                and not (crossing_only and lifted is not None and self._touches(child, lifted))
            ]
            yield from level

    def move(self, m: int, head: int) -> None:
        self.children[self.heads[m - 1]].remove(m)
        insort(self.children[head], m)
        self.heads[m - 1] = head
        self.targets.add(head)

    def ends_path(self, word: int, lifted: int) -> bool:
        return not any(self.marked[child] for child in self.children[word] if child != lifted)

    def _touches(self, word: int, lifted: int) -> bool:
        """Whether nothing lies between the subtrees of the two, so that an arc between them is projective."""
        return self.first[lifted] == self.last[word] + 1 or self.first[word] == self.last[lifted] + 1
