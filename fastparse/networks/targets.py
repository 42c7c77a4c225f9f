"""What outputs besides the parser learn and say: a class per word, named by a string."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.inputs import FIRST, NOTHING, ROOT, Inputs, feature_strings
from fastparse.networks.lemmas import rule_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["LEMMA", "TAGS", "class_numbers", "class_strings", "columns_with_tags", "split_tags", "with_tags",
           "without_tags"]  # fmt: skip

LEMMA = "lemma"
TAGS = "tags"  # UPOS, XPOS and FEATS of a word as one class
_COLUMNS = ("upos", "xpos", "feats")
_BETWEEN = "\t"
_RAREST_RULE = 2


def _strings(treebank: Treebank, name: str) -> tuple[list[str], np.ndarray[Any, Any]]:
    """All strings of a target and which one each word has."""
    if name == TAGS:
        ids = np.stack([np.asarray(treebank.ids(column)) for column in _COLUMNS], 1)
        found, which = np.unique(ids, axis=0, return_inverse=True)
        tables = [treebank.table(column) for column in _COLUMNS]
        tags = [_BETWEEN.join(tables[k][i] for k, i in enumerate(row)) for row in found.tolist()]
        return tags, which.reshape(-1)
    if name != LEMMA:
        return treebank.table(name), np.asarray(treebank.ids(name))
    forms, lemmas = treebank.table("form"), treebank.table("lemma")
    pairs = np.stack([np.asarray(treebank.ids("form")), np.asarray(treebank.ids("lemma"))], 1)
    unique, which = np.unique(pairs, axis=0, return_inverse=True)
    rules = [rule_of(forms[form], lemmas[lemma]) for form, lemma in unique.tolist()]
    return rules, which.reshape(-1)


def class_strings(treebank: Treebank, name: str) -> tuple[str, ...]:
    """The classes that training sees; of rules for lemmas, those it sees more than once."""
    table, ids = _strings(treebank, name)
    counts: dict[str, int] = {}
    for string, n in zip(table, np.bincount(ids, minlength=len(table)).tolist(), strict=True):
        counts[string] = counts.get(string, 0) + n
    least = _RAREST_RULE if name == LEMMA else 1
    return tuple(sorted(string for string, n in counts.items() if n >= least)) or ("",)


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


def with_tags(
    rows: np.ndarray[Any, Any],
    inputs: Inputs,
    tags: dict[str, np.ndarray[Any, Any]],
    classes: Mapping[str, Sequence[str]],
) -> np.ndarray[Any, Any]:
    """The rows with other tags and features.

    Args:
        tags: for "upos", "xpos" and "feats" the class of each word; columns that are missing stay empty.
        classes: the strings of the classes.
    """
    rows = without_tags(rows, inputs)
    words = rows[:, 0] != ROOT
    where = inputs.columns()
    tag = {string: i + FIRST for i, string in enumerate(inputs.tag)}
    feature = {string: i + FIRST for i, string in enumerate(inputs.feature)}
    for number, name in enumerate(("upos", "xpos")):
        if name in tags:
            ids = np.array([tag.get(f"{name[0]}{string}", NOTHING) for string in classes[name]], np.int32)
            rows[words, where["tag"][0] + number] = ids[tags[name]]
    if "feats" in tags:
        described = np.zeros((len(classes["feats"]), inputs.most_features), np.int32)
        for i, string in enumerate(classes["feats"]):
            found = [feature.get(one, NOTHING) for one in feature_strings(string)][: inputs.most_features]
            described[i, : len(found)] = found
        rows[words, slice(*where["feature"])] = described[tags["feats"]]
    return rows
