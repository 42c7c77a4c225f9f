"""From a treebank to trees that can be learnt from: whole ones, with the right number of roots, and labels by id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fastparse import trees
from fastparse.corpus.structure import DEFECTS, defects
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.training.account import Account
from fastparse.training.options import TrainingOptions

__all__ = ["Trees", "trees_of"]

_MOSTLY_SINGLE_ROOTS = 0.99
_NO_LABEL = "_"


@dataclass(frozen=True)
class Trees:
    """Sentences and the trees that are learnt for them.

    Attributes:
        treebank: the sentences.
        heads, label_ids: their trees, which need not be those of the treebank.
        labels: by id.
        single_root: whether each root gets one child only.
    """

    treebank: Treebank
    heads: np.ndarray[Any, Any]
    label_ids: np.ndarray[Any, Any]
    labels: tuple[str, ...]
    single_root: bool

    @property
    def offsets(self) -> np.ndarray[Any, Any]:
        return np.ascontiguousarray(self.treebank.offsets, np.int64)

    def with_heads(self, heads: np.ndarray[Any, Any]) -> Trees:
        return replace(self, heads=np.ascontiguousarray(heads, np.int32))

    def only(self, inside: np.ndarray[Any, Any], what: str, account: Account) -> Trees:
        """The sentences of a mask.

        Raises:
            Error: saying that there is no such thing as `what`, if none is left.
        """
        words = np.repeat(inside, np.diff(self.treebank.offsets))
        left = replace(
            self, treebank=self.treebank.select(inside.nonzero()[0]), heads=self.heads[words],
            label_ids=self.label_ids[words],
        )  # fmt: skip
        _require(left.treebank, what, account)
        return left

    def labels_of(self, arcs: np.ndarray[Any, Any]) -> tuple[int, ...]:
        """The ids of labels that occur on the arcs of a mask."""
        return tuple(np.unique(self.label_ids[arcs]).tolist())


def trees_of(treebank: Treebank, options: TrainingOptions, account: Account) -> Trees:
    """Leave out what is no tree or has roots in excess, and encode lifted arcs if that is asked for.

    Raises:
        Error: if nothing is left to learn from.
    """
    account.counts |= {"sentences": len(treebank), "words": treebank.n_words}
    treebank = _whole_trees(treebank, account)
    treebank, single_root = _rooted(treebank, options.single_root, account)
    ids, labels = _labels_of(treebank)
    found = Trees(treebank, np.ascontiguousarray(treebank.heads, np.int32), ids, tuple(labels), single_root)
    return _encoded(found, options.pseudo_projective, account) if options.pseudo_projective else found


def _whole_trees(treebank: Treebank, account: Account) -> Treebank:
    if not len(treebank):
        raise Error("the training treebank has no sentences: nothing can be learnt from it")
    codes, _ = defects(treebank.heads, treebank.offsets)
    empty = np.diff(treebank.offsets) == 0
    for code, name in enumerate(DEFECTS):
        if code and (codes == code).any():
            number = account.counts[name.replace(" ", "_")] = int((codes == code).sum())
            place = treebank[int(np.argmax(codes == code))].where()
            account.notes.append(f"{number:,} sentences are no trees ({name}) and are left out, the first at {place}.")
    good = (codes == 0) & ~empty
    if good.all():
        return treebank
    treebank = treebank.select(good.nonzero()[0])
    _require(treebank, "sentence is a tree", account)
    return treebank


def _rooted(treebank: Treebank, single_root: bool | str, account: Account) -> tuple[Treebank, bool]:
    """The sentences with the number of roots that is asked for, and whether that is one."""
    n_roots = np.add.reduceat(treebank.heads == 0, treebank.offsets[:-1], dtype=np.int64)
    if single_root == "auto":
        single_root = bool((n_roots == 1).mean() >= _MOSTLY_SINGLE_ROOTS)
    if single_root and (n_roots != 1).any():
        number = account.counts["several_roots"] = int((n_roots != 1).sum())
        account.notes.append(f"{number:,} sentences have several roots and are left out, as single_root asks.")
        treebank = treebank.select((n_roots == 1).nonzero()[0])
        _require(treebank, "sentence has one root", account)
    return treebank, bool(single_root)


def _require(treebank: Treebank, what: str, account: Account) -> None:
    if not len(treebank):
        raise Error(f"no {what}, so there is nothing to learn from. {' '.join(account.notes)}")


def _labels_of(treebank: Treebank) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Label ids per word, numbered by their first use, and the labels; words without one have `_`."""
    raw = np.asarray(treebank.deprel_ids)
    table = [*treebank.deprel_table, _NO_LABEL]
    names = {i: table[i] for i in np.unique(raw).tolist()}
    _, first = np.unique(raw, return_index=True)
    labels = list(dict.fromkeys(names[i] for i in raw[np.sort(first)].tolist()))
    number = {label: i for i, label in enumerate(labels)}
    new = np.zeros(len(table), np.int32)
    for i, name in names.items():
        new[i] = number[name]
    return new[raw], labels


def _encoded(found: Trees, encoding: str, account: Account) -> Trees:
    """Projective trees, whose labels say what was lifted."""
    strings = [found.labels[i] for i in found.label_ids.tolist()]
    projective, strings = trees.projectivize_treebank(found.heads, found.offsets, strings, encoding)
    number: dict[str, int] = {label: i for i, label in enumerate(found.labels)}
    new = np.array([number.setdefault(label, len(number)) for label in strings], np.int32)
    used = np.unique(new)
    names = list(number)
    lifted = account.counts["encoded_arcs"] = int((projective != found.heads).sum())
    account.notes.append(f"{lifted:,} arcs are lifted and encoded in labels; there are {len(used)} labels now.")
    renumbered = np.zeros(len(names), np.int32)
    renumbered[used] = np.arange(len(used))
    labels = tuple(names[i] for i in used.tolist())
    return replace(found, heads=projective.astype(np.int32), label_ids=renumbered[new], labels=labels)
