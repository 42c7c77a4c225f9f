"""From a treebank to what can be learnt from: whole trees with the right number of roots, and their derivations."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse import trees
from fastparse.corpus.problems import number_of
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error, OracleError
from fastparse.theory.oracles import derivations_of
from fastparse.trees.tree import DEFECTS, defects

if TYPE_CHECKING:
    from fastparse.learning.options import TrainingOptions
    from fastparse.machine.system import System

__all__ = ["Account", "Derivations", "Trees", "derived", "trees_of"]

_MOSTLY_SINGLE_ROOTS = 0.99
_NO_LABEL = "_"


@dataclass
class Account:
    """Filled while a treebank is prepared.

    Attributes:
        notes: in sentences.
        counts: the same in numbers, for the model.
    """

    notes: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Trees:
    """Sentences and the trees that are learnt for them.

    Attributes:
        treebank: the sentences.
        offsets: where each begins among the words, and the number of words, int64.
        heads, label_ids: their trees, which need not be those of the treebank.
        labels: by id.
        single_root: whether each root gets one child only.
    """

    treebank: Treebank
    offsets: np.ndarray[Any, Any]
    heads: np.ndarray[Any, Any]
    label_ids: np.ndarray[Any, Any]
    labels: tuple[str, ...]
    single_root: bool

    def with_heads(self, heads: np.ndarray[Any, Any]) -> Trees:
        return replace(self, heads=np.ascontiguousarray(heads, np.int32))

    def only(self, inside: np.ndarray[Any, Any], what: str, account: Account) -> Trees:
        """The sentences of a mask.

        Raises:
            Error: saying that there is no such thing as `what`, if none is left.
        """
        words = np.repeat(inside, np.diff(self.offsets))
        left = self.treebank.select(inside.nonzero()[0])
        _require(left, what, account)
        return replace(
            self, treebank=left, offsets=_offsets(left), heads=self.heads[words], label_ids=self.label_ids[words]
        )


def trees_of(treebank: Treebank, options: TrainingOptions, account: Account) -> Trees:
    """Leave out what is no tree or has roots in excess, and encode lifted arcs if that is asked for.

    Raises:
        Error: if nothing is left to learn from.
    """
    account.counts |= {"sentences": len(treebank), "words": treebank.n_words}
    treebank = _whole_trees(treebank, account)
    treebank, single_root = _rooted(treebank, options.single_root, account)
    ids, labels = _labels_of(treebank)
    found = Trees(
        treebank, _offsets(treebank), np.ascontiguousarray(treebank.heads, np.int32), ids, tuple(labels), single_root
    )
    return _encoded(found, options.pseudo_projective, account) if options.pseudo_projective else found


def _offsets(treebank: Treebank) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(treebank.offsets, np.int64)


def _whole_trees(treebank: Treebank, account: Account) -> Treebank:
    if not len(treebank):
        raise Error("the training treebank has no sentences: nothing can be learnt from it")
    codes, _ = defects(treebank.heads, treebank.offsets)
    empty = np.diff(treebank.offsets) == 0
    for code, name in enumerate(DEFECTS):
        if code and (codes == code).any():
            number = account.counts[name.replace(" ", "_")] = int((codes == code).sum())
            place = treebank[int(np.argmax(codes == code))].where()
            account.notes.append(
                f"left out, as no trees ({name}): {number_of(number, 'sentence')}, the first at {place}."
            )
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
        account.notes.append(f"left out, for several roots, as single_root asks: {number_of(number, 'sentence')}.")
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


# ── derivations ──


class Derivations(NamedTuple):
    """The moves of an oracle: sentence i has moves[starts[i]:starts[i + 1]], and a label id for each of them."""

    moves: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]
    starts: np.ndarray[Any, Any]


def derived(
    found: Trees, system: System, outside: str, account: Account, like: str | None = None
) -> tuple[Trees, Derivations]:
    """The trees with their derivations; those the system cannot build are lifted, left out, or an error.

    Args:
        outside: "lift", "skip" or "stop".
        like: a system that builds the same trees and has an oracle, if this one has none.

    Raises:
        Error: if nothing is left to learn from.
        OracleError: with "stop", if there is a tree the system cannot build.
    """
    *parts, inside = derivations_of(like or system, found.heads, found.label_ids, found.offsets)
    if inside.all():
        return found, Derivations(*parts)
    account.counts["outside"] = int((~inside).sum())
    if outside == "stop":
        raise _outside(found, system, int(np.argmin(inside)), account.counts["outside"])
    if outside == "lift":
        found = _lifted(found, ~inside, system, account)
        *parts, inside = derivations_of(like or system, found.heads, found.label_ids, found.offsets)
    if not inside.all():
        account.counts["skipped"] = int((~inside).sum())
        account.notes.append(f"{account.counts['skipped']:,} trees that {system.name} cannot build are left out.")
        found = found.only(inside, f"tree can be built by {system.name}", account)
        *parts, inside = derivations_of(like or system, found.heads, found.label_ids, found.offsets)
    return found, Derivations(*parts)


def _lifted(found: Trees, outside: np.ndarray[Any, Any], system: System, account: Account) -> Trees:
    """The trees outside the class lifted into it, or into the projective trees if it has no name."""
    into = system.covers if system.covers in trees.classes() else "projective"
    lifted, _ = trees.lift_treebank(found.heads, found.offsets, into)
    lifted = np.where(np.repeat(outside, np.diff(found.offsets)), lifted, found.heads).astype(np.int32)
    number = account.counts["lifted_arcs"] = int((lifted != found.heads).sum())
    account.notes.append(
        f"{account.counts['outside']:,} trees are outside the class of {system.name} ({into}); {number:,} of their "
        f"arcs are lifted."
    )
    return found.with_heads(lifted)


def _outside(found: Trees, system: System, index: int, number: int) -> OracleError:
    return OracleError(
        f"{found.treebank[index].where()}: {system.name!r} cannot build this tree, nor {number - 1:,} others. Lift "
        f"them (outside='lift'), leave them out (outside='skip'), or choose a system that covers them (system='auto')."
    )
