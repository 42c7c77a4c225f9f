"""Treebanks and sentences through pickle, copies, and other processes."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from fastparse import Treebank, read_conllu
from fastparse.corpus.strings.vectors import restored

TEXT = b"# sent_id = a\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\tX=Y\n\n1\tNo\tno\tINTJ\t_\t_\t0\troot\t_\t_\n\n"


def same(a: Treebank, b: Treebank) -> bool:
    return (
        a.to_bytes() == b.to_bytes()
        and all(x.forms == y.forms and x.misc == y.misc and x.where() == y.where() for x, y in zip(a, b, strict=True))
        and (a.hashes("form") == b.hashes("form")).all()
    )


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickled(protocol):
    treebank = read_conllu(TEXT)
    assert same(pickle.loads(pickle.dumps(treebank, protocol)), treebank)
    assert same(pickle.loads(pickle.dumps(treebank[1:], protocol)), treebank[1:])
    assert pickle.loads(pickle.dumps(treebank[1], protocol)).forms == ["No"]


def test_pickled_without_a_source_and_empty():
    for treebank in (Treebank.from_columns(forms=["a", "b"], upos=["X", "Y"]), read_conllu(b"")):
        assert same(pickle.loads(pickle.dumps(treebank)), treebank)


def test_copies_are_independent():
    treebank = read_conllu(TEXT)
    deep = copy.deepcopy(treebank)
    deep.heads[0] = 1
    assert treebank.heads.tolist() == [0, 0]
    assert same(copy.copy(treebank), treebank)


def first(treebank: Treebank) -> object:
    return treebank[0]


def test_to_another_process_and_back():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(first, read_conllu(TEXT)).result().forms == ["Go"]


@pytest.mark.parametrize(("code", "items"), [(b"x", b""), (b"i", b"123"), (b"q", b"1234")])
def test_items_that_do_not_fit_their_kind(code, items):
    with pytest.raises(ValueError, match="are no items of the kind"):
        restored(code, items)
