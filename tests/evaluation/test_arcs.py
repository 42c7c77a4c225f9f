"""Crossed and non-projective arcs of what need not be trees, against the definitions."""

import itertools
import random

import numpy as np
import pytest

from fastparse.evaluation.breakdowns import are_trees, crossed_arcs, nonprojective_arcs

from . import naive
from .examples import Tree


def is_tree(heads):
    for word in range(1, len(heads) + 1):
        for _ in heads:
            word = heads[word - 1] if 0 < word <= len(heads) else word
        if word != 0:
            return False
    return True


def all_heads(longest):
    for n in range(longest + 1):
        yield from (list(heads) for heads in itertools.product(range(-1, n + 2), repeat=n))


@pytest.fixture(scope="module")
def sentences():
    """All assignments of heads, possible or not, to few words; and some to more."""
    rng = random.Random(1)
    more = [
        [rng.randint(-1 if rng.random() < 0.1 else 0, n) for _ in range(n)] for n in range(5, 12) for _ in range(50)
    ]
    return [*all_heads(4), *more]


@pytest.fixture(scope="module")
def columns(sentences):
    heads = np.array([head for sentence in sentences for head in sentence], np.int32)
    return heads, np.cumsum([0, *map(len, sentences)])


def test_trees_are_told_from_the_rest(sentences, columns):
    answers = are_trees(*columns).tolist()
    assert answers == list(map(is_tree, sentences))
    assert 100 < sum(answers) < len(answers) - 100


@pytest.mark.parametrize(("function", "definition"), [
    (crossed_arcs, naive.crossed),
    (nonprojective_arcs, naive.nonprojective),
])  # fmt: skip
def test_answers_follow_the_definitions(function, definition, sentences, columns):
    expected = []
    for heads in sentences:
        # A head that is no word is no head.
        known = [head if head <= len(heads) else -1 for head in heads]
        found = definition(Tree([""] * len(heads), known, [""] * len(heads)))
        expected += [word in found for word in range(1, len(heads) + 1)]
    assert function(*columns).tolist() == expected


def test_no_sentences():
    assert crossed_arcs(np.zeros(0, np.int32), np.zeros(1, np.int64)).tolist() == []
