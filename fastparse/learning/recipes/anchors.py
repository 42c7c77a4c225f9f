"""What the first step of the three-step system learns in place of heads whose arcs are not projective: anchors.

A treebank may tell them in MISC, as `Anchor=4` or, where the anchor's label is another one than the head's,
`Anchor=4:label`; "Anchor" stands for whatever name is asked for. Other words whose arcs are not projective get the
lowest ancestor from which an arc to them is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.corpus.problems import number_of
from fastparse.errors import Error, OracleError
from fastparse.search.kinds import THREE_STEP
from fastparse.theory.derive import derive
from fastparse.trees.lifting import anchors_treebank
from fastparse.trees.tree import DEFECTS, defects

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.preparation import Account, Trees

__all__ = ["anchored", "with_anchors"]

Ints = np.ndarray[Any, Any]


class _Told(NamedTuple):
    """The anchors that a treebank tells: of the words at these places, and their labels where these are told, too."""

    places: list[int]
    heads: list[int]
    labels: list[str]


def anchored(treebank: Treebank, key: str | None = None) -> Ints:
    """The heads with anchors for those whose arcs are not projective, where sentences are trees; others stay.

    Args:
        key: the name of anchors in MISC; None if they are not told.
    """
    told = _told(treebank, key)
    heads = np.array(treebank.heads, np.int32)
    heads[told.places] = told.heads
    return anchors_treebank(heads, np.ascontiguousarray(treebank.offsets, np.int64))


def with_anchors(
    found: Trees, outside: str, account: Account, key: str | None = None, labelled: bool = False
) -> tuple[Trees, Trees]:
    """The trees, without those outside the class if need be, and the same trees with anchors.

    Where two arcs of a direction and a label cross, the passes find one of them, and the other keeps its anchor.

    Args:
        key: the name of anchors in MISC; None if they are not told.
        labelled: whether the passes find labels, too.

    Raises:
        Error: if the anchors that are told cannot be used.
    """
    projective = _anchored_trees(found, key, account, labelled)
    moved = np.flatnonzero(projective.heads != found.heads)
    account.counts["anchors"] = len(moved)
    account.notes.append(f"{len(moved):,} arcs are not projective; the first step learns their anchors instead.")
    sentences = np.unique(np.searchsorted(found.offsets, moved, side="right") - 1)
    faults = {s: fault for s in sentences.tolist() if (fault := _why_not(found, projective, s))}
    if not faults:
        return found, projective
    account.counts["outside"] = len(faults)
    if outside == "stop":
        first = min(faults)
        raise OracleError(f"{found.treebank[first].where()}: {faults[first]}")
    if outside != "skip":
        account.notes.append(f"{len(faults):,} trees are outside the class of {THREE_STEP}; some anchors will stay.")
        return found, projective
    account.counts["skipped"] = len(faults)
    account.notes.append(f"{len(faults):,} trees that {THREE_STEP} cannot build are left out.")
    inside = np.ones(len(found.treebank), bool)
    inside[list(faults)] = False
    what = f"tree can be built by {THREE_STEP}"
    return found.only(inside, what, account), projective.only(inside, what, account)


def _anchored_trees(found: Trees, key: str | None, account: Account, labelled: bool) -> Trees:
    told = _told(found.treebank, key)
    heads, ids = found.heads.copy(), found.label_ids.copy()
    number = {label: i for i, label in enumerate(found.labels)}
    other_labels = False
    for place, head, label in zip(*told, strict=True):
        if head != found.heads[place]:
            heads[place] = head
            if label:
                ids[place] = number.setdefault(label, len(number))
                other_labels |= bool(ids[place] != found.label_ids[place])
    if other_labels and not labelled:
        raise Error(f"anchors have labels of their own ({key}= in MISC): {THREE_STEP} needs put='label' for them")
    codes, _ = defects(heads, found.offsets)
    roots = np.add.reduceat(heads == 0, found.offsets[:-1], dtype=np.int64)
    bad = (codes != 0) | ((roots != 1) & found.single_root)
    if bad.any():
        first = int(np.argmax(bad))
        why = f"no tree: {DEFECTS[codes[first]]}" if codes[first] else f"a tree with {roots[first]} roots"
        raise Error(f"{found.treebank[first].where()}: with the anchors in MISC ({key}=) the sentence is {why}")
    projective = anchors_treebank(heads, found.offsets)
    if key is not None:
        replaced = int((projective != heads)[told.places].sum())
        account.counts["told_anchors"] = len(told.places)
        account.notes.append(
            f"{number_of(len(told.places), 'anchor')} told in MISC ({key}=); {replaced:,} of them not projective, and "
            f"replaced."
        )
    return replace(found, heads=projective, label_ids=ids, labels=tuple(number))


def _told(treebank: Treebank, key: str | None) -> _Told:
    told = _Told([], [], [])
    if key is None:
        return told
    if not isinstance(key, str) or not key:
        raise Error(f"anchors={key!r}: for training it is the name that anchors have in MISC, such as 'Anchor'")
    ids = np.asarray(treebank.ids("misc"))
    table = treebank.table("misc")
    found = {i: value for i in np.unique(ids).tolist() if (value := _value_of(key, table[i]))}
    lengths = np.diff(treebank.offsets)
    for place in np.flatnonzero(np.isin(ids, list(found))).tolist():
        value = found[int(ids[place])]
        head, _, label = value.partition(":")
        sentence = int(np.searchsorted(treebank.offsets, place, side="right")) - 1
        word = place - int(treebank.offsets[sentence]) + 1
        if not (head.isascii() and head.isdigit()) or int(head) > lengths[sentence] or int(head) == word:
            raise Error(
                f"{treebank[sentence].where()}: word {word} has {key}={value} in MISC; an anchor is the number of "
                f"another word, or 0, with a label behind a colon if it has one of its own"
            )
        for column, item in zip(told, (place, int(head), label), strict=True):
            column.append(item)  # type: ignore[attr-defined]
    return told


def _value_of(key: str, misc: str) -> str:
    """What a key has in MISC; nothing if it is not there."""
    for item in misc.split("|"):
        name, equals, value = item.partition("=")
        if name == key and equals:
            return value
    return ""


def _why_not(found: Trees, projective: Trees, sentence: int) -> str:
    """Why the passes cannot make a tree of its anchors; nothing if they can."""
    part = slice(int(found.offsets[sentence]), int(found.offsets[sentence + 1]))
    labels = [found.labels[i] for i in found.label_ids[part].tolist()]
    try:
        derive(found.heads[part].tolist(), THREE_STEP, labels, anchors=projective.heads[part].tolist())
    except OracleError as error:
        return str(error)
    return ""
