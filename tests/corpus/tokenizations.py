"""Sentences of running text in columns, held against what the reader finds in their bytes."""

from __future__ import annotations

import pickle

import numpy as np

from fastparse.corpus.layout import multiword_tokens
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import COLUMNS, Treebank

__all__ = ["check_columns"]


def check_columns(treebank: Treebank) -> None:
    """Raise AssertionError unless columns, places and bytes are those of the CoNLL-U that the treebank writes."""
    data = treebank.to_bytes()
    found = read_conllu(data, format="conllu")
    assert (len(found), found.n_words, found.offsets.tolist()) == (
        len(treebank), treebank.n_words, treebank.offsets.tolist(),
    )  # fmt: skip
    assert found.heads.tolist() == treebank.heads.tolist()
    for name in COLUMNS:
        if found.n_words:
            assert found.table(name) == treebank.table(name), name
            assert np.array_equal(found.hashes(name), treebank.hashes(name)), name
        assert found.ids(name).tolist() == treebank.ids(name).tolist(), name
    assert found.to_text() == treebank.to_text()
    assert pickle.loads(pickle.dumps(treebank)).to_bytes() == data
    assert multiword_tokens(treebank).forms == multiword_tokens(found).forms
    for deps in ("copy", "blank"):
        assert found.to_bytes(deps) == treebank.to_bytes(deps)
    some = range(0, len(found), 3)
    assert found.select(some).to_bytes() == treebank.select(some).to_bytes()
    for mine, theirs in zip(treebank[-2:], found[-2:], strict=True):
        assert (mine.comments, mine.tokens, mine.text, mine.where()) == (
            theirs.comments, theirs.tokens, theirs.text, theirs.where(),
        )  # fmt: skip
