"""From a treebank to what learning needs: sentences that are trees, labels, a system, derivations."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fastparse import trees
from fastparse.corpus.structure import DEFECTS, defects
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error, OracleError
from fastparse.features.attributes import column_of
from fastparse.features.templates import TemplateSet, attributes_of
from fastparse.machine.system import System
from fastparse.oracles.derivation import derive
from fastparse.oracles.sequences import derivations_of
from fastparse.search.systems import THREE_STEP
from fastparse.training.options import TrainingOptions
from fastparse.training.passes import anchored

__all__ = ["Prepared", "fingerprint", "missing_attributes", "prepare", "tags_joined"]

_MOST_JOINED_TAGS = 200
_MOSTLY_SINGLE_ROOTS = 0.99
_NO_LABEL = "_"


@dataclass
class Prepared:
    """A treebank ready to learn from.

    Attributes:
        treebank: the sentences that are learnt from.
        heads, label_ids: their trees, lifted where need be; for the three-step system with anchors.
        gold_heads: the same without anchors.
        labels: by id.
        root_labels, inner_labels: ids seen on arcs from the root and on others.
        single_root: whether the root gets one child only.
        moves, move_labels, starts: their derivations.
        notes: what a user should know, in sentences.
        counts: the same in numbers, for the model.
    """

    treebank: Treebank
    heads: np.ndarray[Any, Any]
    gold_heads: np.ndarray[Any, Any]
    label_ids: np.ndarray[Any, Any]
    labels: list[str]
    root_labels: list[int]
    inner_labels: list[int]
    single_root: bool
    moves: np.ndarray[Any, Any]
    move_labels: np.ndarray[Any, Any]
    starts: np.ndarray[Any, Any]
    notes: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def offsets(self) -> np.ndarray[Any, Any]:
        return np.ascontiguousarray(self.treebank.offsets, np.int64)


def prepare(treebank: Treebank, system: System, options: TrainingOptions) -> Prepared:
    """Leave out what is no tree, lift what the system cannot build, and derive the rest.

    Raises:
        Error: if nothing is left to learn from.
        OracleError: with outside="stop", if there is a tree the system cannot build.

    Args:
        system: that is searched with; of the three-step system, the system of the first step.
    """
    notes: list[str] = []
    counts = {"sentences": len(treebank), "words": treebank.n_words}
    treebank = _whole_trees(treebank, notes, counts)
    n_roots = np.add.reduceat(treebank.heads == 0, treebank.offsets[:-1], dtype=np.int64)
    single_root = options.single_root
    if single_root == "auto":
        single_root = bool((n_roots == 1).mean() >= _MOSTLY_SINGLE_ROOTS)
    if single_root and (n_roots != 1).any():
        counts["several_roots"] = int((n_roots != 1).sum())
        notes.append(f"{counts['several_roots']:,} sentences have several roots and are left out, as single_root asks.")
        treebank = treebank.select((n_roots == 1).nonzero()[0])
        _require(treebank, "sentence has one root", notes)
    heads = np.ascontiguousarray(treebank.heads, np.int32)
    ids, labels = _labels_of(treebank)
    if options.pseudo_projective:
        heads, ids, labels = _encoded(heads, ids, labels, treebank.offsets, options.pseudo_projective, notes, counts)
    gold = heads
    if options.system == THREE_STEP:
        treebank, heads, gold, ids = _with_anchors(treebank, heads, ids, labels, options, notes, counts)
    derived = _derived(system, heads, ids, treebank.offsets)
    if not derived[3].all():
        outside = ~derived[3]
        counts["outside"] = int(outside.sum())
        if options.outside == "stop":
            raise _outside(treebank, system, int(np.argmax(outside)), counts["outside"])
        if options.outside == "lift":
            gold = heads = _lifted(heads, treebank.offsets, outside, system, notes, counts)
            derived = _derived(system, heads, ids, treebank.offsets)
        inside = derived[3]
        if not inside.all():
            counts["skipped"] = int((~inside).sum())
            notes.append(f"{counts['skipped']:,} trees that {system.name} cannot build are left out.")
            words = np.repeat(inside, np.diff(treebank.offsets))
            treebank = treebank.select(inside.nonzero()[0])
            _require(treebank, f"tree can be built by {system.name}", notes)
            heads, ids = heads[words], ids[words]
            gold = heads
            derived = _derived(system, heads, ids, treebank.offsets)
    root = np.unique(ids[heads == 0]).tolist()
    inner = np.unique(ids[heads > 0]).tolist()
    return Prepared(
        treebank,
        heads,
        gold,
        ids,
        labels,
        root,
        inner or root,
        bool(single_root),
        *derived[:3],
        notes=notes,
        counts=counts,
    )


def _derived(system: System, heads: Any, ids: Any, offsets: Any) -> tuple[Any, Any, Any, np.ndarray[Any, Any]]:
    """Derivations as `derivations_of` gives them; arc-standard's for easy-first, which finds its own while learning."""
    return derivations_of("arc-standard" if system.name == "easy-first" else system, heads, ids, offsets)


def _with_anchors(
    treebank: Treebank, heads: np.ndarray[Any, Any], ids: np.ndarray[Any, Any], labels: list[str],
    options: TrainingOptions, notes: list[str], counts: dict[str, int],
) -> tuple[Treebank, np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:  # fmt: skip
    """The treebank, its heads with anchors, without, and its labels; trees outside the class are left out if need be.

    Where two arcs of a direction and a label cross, the passes find one of them, and the other keeps its anchor.
    """
    offsets = treebank.offsets
    projective = anchored(heads, offsets)
    moved = np.flatnonzero(projective != heads)
    outside = [
        s
        for s in np.unique(np.searchsorted(offsets, moved, side="right") - 1).tolist()
        if not _derivable(heads[offsets[s] : offsets[s + 1]].tolist(), ids[offsets[s] : offsets[s + 1]].tolist())
    ]
    counts["anchors"] = len(moved)
    notes.append(f"{len(moved):,} arcs are not projective; the first step learns their anchors instead.")
    if outside:
        counts["outside"] = len(outside)
        if options.outside == "stop":
            part = slice(int(offsets[outside[0]]), int(offsets[outside[0] + 1]))
            where = treebank[outside[0]].where()
            try:
                derive(heads[part].tolist(), THREE_STEP, [labels[i] for i in ids[part].tolist()])
            except OracleError as error:
                raise OracleError(f"{where}: {error}") from None
        if options.outside == "skip":
            counts["skipped"] = len(outside)
            notes.append(f"{len(outside):,} trees that {THREE_STEP} cannot build are left out.")
            inside = np.ones(len(treebank), bool)
            inside[outside] = False
            words = np.repeat(inside, np.diff(offsets))
            treebank = treebank.select(inside.nonzero()[0])
            _require(treebank, f"tree can be built by {THREE_STEP}", notes)
            projective, heads, ids = projective[words], heads[words], ids[words]
        else:
            notes.append(f"{len(outside):,} trees are outside the class of {THREE_STEP}; some anchors will stay.")
    return treebank, projective, heads, ids


def _derivable(heads: list[int], ids: list[int]) -> bool:
    try:
        derive(heads, f"{THREE_STEP}/left", list(map(str, ids)))
        derive(heads, f"{THREE_STEP}/right", list(map(str, ids)))
    except OracleError:
        return False
    return True


def _whole_trees(treebank: Treebank, notes: list[str], counts: dict[str, int]) -> Treebank:
    if not len(treebank):
        raise Error("the training treebank has no sentences: nothing can be learnt from it")
    codes, _ = defects(treebank.heads, treebank.offsets)
    empty = np.diff(treebank.offsets) == 0
    for code, name in enumerate(DEFECTS):
        if code and (codes == code).any():
            number = counts[name.replace(" ", "_")] = int((codes == code).sum())
            place = treebank[int(np.argmax(codes == code))].where()
            notes.append(f"{number:,} sentences are no trees ({name}) and are left out, the first at {place}.")
    good = (codes == 0) & ~empty
    if good.all():
        return treebank
    treebank = treebank.select(good.nonzero()[0])
    _require(treebank, "sentence is a tree", notes)
    return treebank


def _require(treebank: Treebank, what: str, notes: list[str]) -> None:
    if not len(treebank):
        raise Error(f"no {what}, so there is nothing to learn from. {' '.join(notes)}")


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


def _encoded(
    heads: np.ndarray[Any, Any], ids: np.ndarray[Any, Any], labels: list[str], offsets: np.ndarray[Any, Any],
    encoding: str, notes: list[str], counts: dict[str, int],
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], list[str]]:  # fmt: skip
    """Projective trees, whose labels say what was lifted."""
    projective, strings = trees.projectivize_treebank(heads, offsets, [labels[i] for i in ids.tolist()], encoding)
    number: dict[str, int] = {label: i for i, label in enumerate(labels)}
    new = np.array([number.setdefault(label, len(number)) for label in strings], np.int32)
    used = np.unique(new)
    names = list(number)
    counts["encoded_arcs"] = int((projective != heads).sum())
    notes.append(f"{counts['encoded_arcs']:,} arcs are lifted and encoded in labels; there are {len(used)} labels now.")
    renumbered = np.zeros(len(names), np.int32)
    renumbered[used] = np.arange(len(used))
    return projective.astype(np.int32), renumbered[new], [names[i] for i in used.tolist()]


def _lifted(
    heads: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any], outside: np.ndarray[Any, Any], system: System,
    notes: list[str], counts: dict[str, int],
) -> np.ndarray[Any, Any]:  # fmt: skip
    """The heads with the trees outside the class lifted into it, or into the projective trees if it has no name."""
    known = trees.classes()
    into = system.covers if system.covers in known else "projective"
    lifted, _ = trees.lift_treebank(heads, offsets, into)
    lifted = np.where(np.repeat(outside, np.diff(offsets)), lifted, heads).astype(np.int32)
    counts["lifted_arcs"] = int((lifted != heads).sum())
    notes.append(
        f"{counts['outside']:,} trees are outside the class of {system.name} ({into}); {counts['lifted_arcs']:,} of "
        f"their arcs are lifted."
    )
    return lifted


def _outside(treebank: Treebank, system: System, index: int, number: int) -> OracleError:
    sentence = treebank[index]
    return OracleError(
        f"{sentence.where()}: {system.name!r} cannot build this tree, nor {number - 1:,} others. Lift them "
        f"(outside='lift'), leave them out (outside='skip'), or choose a system that covers them (system='auto')."
    )


# ── what the model remembers of a treebank ──


def fingerprint(treebank: Treebank) -> dict[str, Any]:
    """Size and hash of a treebank."""
    return {
        "sentences": len(treebank),
        "words": treebank.n_words,
        "sha256": hashlib.sha256(treebank.to_bytes()).hexdigest(),
    }


def missing_attributes(templates: TemplateSet, treebank: Treebank) -> tuple[str, ...]:
    """Attributes the templates read and the treebank has nothing for."""

    def blank(column: str) -> bool:
        used = np.unique(treebank.ids(column))
        table = treebank.table(column)
        return all(table[i] in ("_", "") for i in used.tolist())

    columns = {column_of(name) for name in attributes_of(templates)} | {"upos", "xpos"}
    empty = {column for column in columns if blank(column)}
    missing = [name for name in attributes_of(templates) if column_of(name) in empty]
    if "xpos" not in empty:
        missing = [name for name in missing if name != "tag"]
    return tuple(sorted(missing))


def tags_joined(treebank: Treebank) -> bool:
    """Whether XPOS refines UPOS so little that both together make a good tag."""
    xpos = np.asarray(treebank.ids("xpos"), np.int64)
    table = treebank.table("xpos")
    if all(table[i] == "_" for i in np.unique(xpos).tolist()):
        return False
    pairs = np.asarray(treebank.ids("upos"), np.int64) * max(1, len(table)) + xpos
    return len(np.unique(pairs)) < _MOST_JOINED_TAGS
