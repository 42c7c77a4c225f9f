"""Static oracles of arc-standard, hybrid and Attardi's system: the number of moves, long sentences."""

from __future__ import annotations

import numpy as np
import pytest

import fastparse
from fastparse.theory.exploration import Exploration
from tests.reference.enumerate import all_trees


@pytest.mark.parametrize("name", ["arc-standard", "arc-standard/buffer", "hybrid", "attardi"])
def test_two_moves_a_word(name: str) -> None:
    for n in range(1, 6):
        lengths = fastparse.count_transitions(list(all_trees(n)), name)
        assert set(lengths[lengths >= 0].tolist()) == {2 * n}


def random_projective(n: int, rng: np.random.Generator) -> np.ndarray:
    """Every span gets a random word as its root."""
    heads = np.zeros(n, dtype=np.int32)
    spans = [(1, n, 0)]
    while spans:
        first, last, head = spans.pop()
        if first <= last:
            root = int(rng.integers(first, last + 1))
            heads[root - 1] = head
            spans += [(first, root - 1, root), (root + 1, last, root)]
    return heads


@pytest.mark.parametrize("name", ["arc-standard", "arc-standard/buffer", "hybrid", "attardi"])
def test_very_long_sentences(name: str) -> None:
    rng = np.random.default_rng(5)
    trees = [random_projective(100_000, rng), np.arange(100_000, dtype=np.int32), np.zeros(100_000, dtype=np.int32)]
    assert fastparse.count_transitions(trees, name).tolist() == [200_000] * 3


def test_what_attardi_covers_beyond_projective_trees() -> None:
    assert fastparse.derive([0, 0, 1], "attardi").heads == [0, 0, 1]
    with pytest.raises(fastparse.OracleError, match="swap"):
        fastparse.derive([3, 4, 5, 0, 0, 2], "attardi")


@pytest.mark.parametrize("words", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_what_attardi_of_degree_three_covers(words: int) -> None:
    """The oracle builds what can be built at all, and no other trees."""
    sizes = {}
    for n in range(1, words + 1):
        found = Exploration("attardi", n, degree=3)
        trees = list(all_trees(n))
        inside = fastparse.count_transitions(trees, "attardi", degree=3) >= 0
        assert {tuple(heads) for heads, fits in zip(trees, inside, strict=True) if fits} == found.trees
        sizes[n] = len(found.trees)
    assert list(sizes.values()) == [1, 3, 16, 123, 1218, 14360][:words]
