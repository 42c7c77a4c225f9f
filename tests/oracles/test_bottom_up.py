"""Static oracles of arc-standard, hybrid, Attardi's system and Covington's: the class, legal moves, their number."""

from __future__ import annotations

import numpy as np
import pytest

import fastparse
from tests.reference import Configuration as Reference
from tests.reference.enumerate import all_trees

PROJECTIVE = {1: 1, 2: 3, 3: 12, 4: 55, 5: 273, 6: 1428}
SIZES = {
    "arc-standard": PROJECTIVE,
    "arc-standard/buffer": PROJECTIVE,
    "hybrid": PROJECTIVE,
    "attardi": {1: 1, 2: 3, 3: 16, 4: 117, 5: 1011, 6: 9597},
    "covington": {1: 1, 2: 3, 3: 16, 4: 125, 5: 1296},
}


@pytest.mark.parametrize(("name", "n"), [(name, n) for name, sizes in SIZES.items() for n in sizes])
def test_oracles_derive_exactly_the_class(name: str, n: int) -> None:
    trees = list(all_trees(n))
    lengths = fastparse.count_transitions(trees, name)
    assert (lengths >= 0).sum() == SIZES[name][n]
    if name == "covington":
        assert lengths.max() <= n * (n + 1) / 2 + n
    else:
        assert set(lengths[lengths >= 0].tolist()) == {2 * n}


@pytest.mark.parametrize("name", SIZES)
def test_derivations_can_be_replayed_in_the_textbook_system(name: str) -> None:
    for n in range(1, 5):
        for tree in all_trees(n):
            if fastparse.count_transitions([tree], name)[0] < 0:
                with pytest.raises(fastparse.OracleError, match="->"):
                    fastparse.derive(tree, name)
                continue
            derivation = fastparse.derive(tree, name)
            replayed = Reference(name, n)
            for move in derivation.moves:
                replayed.apply(move)
            assert replayed.is_final()
            assert replayed.heads == list(tree)


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
