"""What a model remembers of the treebanks it was learnt from."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from fastparse.corpus.treebank import Treebank
from fastparse.features.attributes import column_of
from fastparse.features.templates import TemplateSet, attributes_of

__all__ = ["attributes_in", "fingerprint"]

_MOST_JOINED_TAGS = 200


def fingerprint(treebank: Treebank) -> dict[str, Any]:
    """Size and hash of a treebank."""
    return {
        "sentences": len(treebank),
        "words": treebank.n_words,
        "sha256": hashlib.sha256(treebank.to_bytes()).hexdigest(),
    }


def attributes_in(treebank: Treebank, templates: TemplateSet) -> dict[str, Any]:
    """What a description says of word attributes: those that are missing, and whether tags are joined."""
    return {"missing": _missing(templates, treebank), "tags_joined": _tags_joined(treebank)}


def _missing(templates: TemplateSet, treebank: Treebank) -> tuple[str, ...]:
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


def _tags_joined(treebank: Treebank) -> bool:
    """Whether XPOS refines UPOS so little that both together make a good tag."""
    xpos = np.asarray(treebank.ids("xpos"), np.int64)
    table = treebank.table("xpos")
    if all(table[i] == "_" for i in np.unique(xpos).tolist()):
        return False
    pairs = np.asarray(treebank.ids("upos"), np.int64) * max(1, len(table)) + xpos
    return len(np.unique(pairs)) < _MOST_JOINED_TAGS
