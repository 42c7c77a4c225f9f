"""What is hardly meant of a training's treebanks is warned of."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import fastparse
from fastparse import FastparseWarning, Treebank
from tests.toy import toy


def said(treebank, **options):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        fastparse.train(treebank, "arc-eager", beam=1, iterations=1, components=("parser",), encoder=None, **options)
    return [str(one.message) for one in found if issubclass(one.category, FastparseWarning)]


def without(*columns):
    return toy().with_columns(**{column: (np.zeros(toy().n_words, np.int32), ["_"]) for column in columns})


def test_what_is_meant_is_no_news():
    half = len(toy()) // 2
    assert said(toy()[:half], dev=toy()[half:]) == []
    assert said(toy()) == []


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (lambda: {"treebank": toy(), "dev": toy()}, "development treebank is the training treebank"),
        (lambda: {"treebank": toy(), "dev": Treebank.from_columns([])}, "development treebank has no sentences"),
        (lambda: {"treebank": without("upos", "xpos", "feats")}, "has no UPOS, XPOS and FEATS"),
        (lambda: {"treebank": toy(), "dev": without("upos")[:5]}, "UPOS is filled in the training treebank and empty"),
        (lambda: {"treebank": without("upos"), "dev": toy()[:5]}, "UPOS is filled in the development treebank"),
    ],
)
def test_what_is_not(options, part):
    assert any(part in message for message in said(**options()))


def test_a_checkpoint_names_the_option_that_differs(tmp_path):
    path = tmp_path / "checkpoint"
    options = {"system": "arc-eager", "beam": 1, "iterations": 1, "components": ("parser",), "checkpoint": path}
    fastparse.train(toy(), seed=1, encoder=None, **options)
    with pytest.raises(fastparse.Error, match=r"training seed \(1 there, 2 here\)"):
        fastparse.train(toy(), seed=2, encoder=None, **options)
