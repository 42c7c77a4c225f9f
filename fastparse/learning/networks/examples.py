"""From a treebank to a network that has learnt nothing yet, and to what it is to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.inputs import NOTHING, ROOT, Inputs
from fastparse.learning.networks.gradients import Examples
from fastparse.learning.networks.network import Network
from fastparse.learning.networks.outside import Outside
from fastparse.learning.networks.places import distances_for, places_for
from fastparse.learning.networks.plans import Plan
from fastparse.learning.networks.shapes import Shape, first_numbers
from fastparse.learning.networks.vectors import FixedRows

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = [
    "TAGS",
    "Task",
    "class_numbers",
    "class_strings",
    "columns_with_tags",
    "new_network",
    "split_tags",
    "without_tags",
]

TAGS = "tags"  # UPOS, XPOS and FEATS of a word as one class
_COLUMNS = ("upos", "xpos", "feats")
_BETWEEN = "\t"
_SELDOM = 1e-3


def _unsaid(treebank: Treebank, column: str) -> np.ndarray[Any, Any]:
    """Which words are in sentences that say nothing in a column, where hardly one in a thousand as long would.

    So treebanks of which some lack a column can be learnt from together: what is not there is no reason to say nothing.
    """
    table, sizes = treebank.table(column), np.diff(treebank.offsets)
    filled = np.array([string not in ("_", "") for string in table], bool)[np.asarray(treebank.ids(column))]
    share = filled.mean() if filled.size else 0.0
    sums = np.concatenate([[0], np.cumsum(filled)])[np.asarray(treebank.offsets)]
    empty = (np.diff(sums) == 0) & ((1 - share) ** sizes < _SELDOM)
    return np.repeat(empty, sizes)


def _strings(treebank: Treebank, name: str) -> tuple[list[str], np.ndarray[Any, Any]]:
    """All strings of a target and which one each word has; -1 for those of sentences that leave it out."""
    columns = _COLUMNS if name == TAGS else (name,)
    table, ids = _all_strings(treebank, name)
    unsaid = np.logical_or.reduce([_unsaid(treebank, column) for column in columns])
    return table, np.where(unsaid, -1, ids) if unsaid.any() and not unsaid.all() else ids


def _all_strings(treebank: Treebank, name: str) -> tuple[list[str], np.ndarray[Any, Any]]:
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
    return tuple(sorted({table[i] for i in np.unique(ids[ids >= 0]).tolist()})) or ("",)


def class_numbers(treebank: Treebank, name: str, classes: Sequence[str]) -> np.ndarray[Any, Any]:
    """The class of each word; -1 if it is none of these."""
    table, ids = _strings(treebank, name)
    known = {string: i for i, string in enumerate(classes)}
    numbers: np.ndarray[Any, Any] = np.array([*(known.get(string, -1) for string in table), -1], np.int32)[ids]
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


Array = np.ndarray[Any, Any]
_NOTHING_ELSE = Outside()


@dataclass(frozen=True)
class Task:
    """Sentences, their trees, and the derivations of these.

    Attributes:
        heads, label_ids: of all words.
        labels: by id; root_labels, inner_labels: ids that arcs from the root, and others, may carry.
        moves, move_labels, starts: sentence i has moves[starts[i]:starts[i + 1]], with a label each.
    """

    treebank: Treebank
    heads: Array
    label_ids: Array
    labels: tuple[str, ...]
    root_labels: tuple[int, ...]
    inner_labels: tuple[int, ...]
    single_root: bool
    moves: Array
    move_labels: Array
    starts: Array


def new_network(
    prepared: Task | None, treebank: Treebank, shape: Shape, plan: Plan, system: Any = None,
    outside: Outside = _NOTHING_ELSE,
) -> tuple[Network, Examples]:  # fmt: skip
    """A network with its first numbers, and what it is to learn.

    Args:
        prepared: for a parser.
        shape: its sizes; what follows from the treebank and the system is filled in.
        outside: what is known of words besides; words that have vectors are read as well as those of the treebank.
    """
    inputs = Inputs.learn(
        treebank, plan.least, plan.with_tags, plan.longest_affix, plan.most_grams, plan.own, plan.least_affix,
        outside.lexicon,
    )  # fmt: skip
    rows, fixed, vectors = inputs.sizes(), None, outside.vectors
    if vectors is not None:
        known = set(inputs.form)
        inputs = replace(inputs, form=(*inputs.form, *(word for word in vectors.words if word not in known)))
        fixed = FixedRows.of(vectors, inputs, rows["form"], shape.form)
    outputs = {name: class_strings(treebank, name) for name in plan.outputs}
    sizes: dict[str, Any] = {
        "rows": {group: n for group, n in rows.items() if shape.embedding(group)},
        "outputs": {name: len(classes) for name, classes in outputs.items()},
    }
    described: dict[str, Any] = {}
    if prepared is not None:
        sizes |= {"moves": len(system.moves), "labels": len(prepared.labels)}
        sizes |= {"places": places_for(system), "pairs": distances_for(system)}
        described = {
            "system": system.name, "system_options": dict(system.options), "labels": tuple(prepared.labels),
            "root_labels": tuple(prepared.root_labels), "inner_labels": tuple(prepared.inner_labels),
            "single_root": prepared.single_root,
        }  # fmt: skip
    shape = Shape(**{**{k: getattr(shape, k) for k in Shape.__dataclass_fields__}, **sizes})
    network = Network(shape, inputs, first_numbers(shape, plan.seed), **described, outputs=outputs, fixed=fixed)
    network.built = system
    bank = treebank if prepared is None else prepared.treebank
    classes = {name: class_numbers(bank, name, strings) for name, strings in outputs.items()}
    nothing = np.zeros(1, np.uint16)
    derived = (nothing.astype(np.uint8), nothing, np.zeros(len(bank) + 1, np.int64))
    if prepared is not None:
        labels = np.where(prepared.move_labels == 0xFFFF, 0, prepared.move_labels).astype(np.uint16)
        derived = (np.ascontiguousarray(prepared.moves, np.uint8), labels, np.asarray(prepared.starts, np.int64))
    examples = Examples(
        inputs.rows(bank), np.ascontiguousarray(bank.offsets, np.int64),
        np.ascontiguousarray(bank.heads if prepared is None else prepared.heads, np.int32),
        np.zeros(bank.n_words, np.int32) if prepared is None else np.ascontiguousarray(prepared.label_ids, np.int32),
        *derived, classes,
        kinds=class_numbers(bank, TAGS, class_strings(bank, TAGS)) if columns_with_tags(bank) else None,
    )  # fmt: skip
    return network, examples
