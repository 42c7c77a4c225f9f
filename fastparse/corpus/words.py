"""One word of a sentence, with all its columns."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Word"]


class Word(NamedTuple):
    """A word as CoNLL-U has it: a copy, which does not change with its treebank.

    Attributes:
        id: from 1.
        head: 0 is the root, -1 none.
        form, lemma, upos, xpos, feats, deprel, deps, misc: as they are written, `_` for nothing.
    """

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str
    deps: str
    misc: str
