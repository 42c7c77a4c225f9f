"""What research/registers.py says of systems with two and three registers."""

from __future__ import annotations

from random import Random

import pytest

import fastparse
from research import registers


@pytest.mark.parametrize(
    ("k", "counts"), [(1, [1, 3, 12, 55]), (2, [1, 3, 16, 121]), (3, [1, 3, 16, 125, 1290])]
)  # fmt: skip
def test_k_registers_build_the_trees_of_k_crossing_intervals(k, counts):
    for n, count in enumerate(counts, start=1):
        assert registers.asked(registers.trees(n), k) == ([(n + 1) ** (n - 1), count, count], [], [])


def test_with_two_registers_it_is_the_system_that_parses():
    trees = list(registers.random_trees(7, 60, 1))
    lengths = fastparse.count_transitions([list(tree) for tree in trees], "two-registers")
    assert [registers.Search(tree, 2).derivable() for tree in trees] == (lengths >= 0).tolist()


def test_three_registers_on_longer_sentences():
    source = Random(2)
    for n in (8, 10):
        heads = next(
            tree for tree in registers.random_trees(n, 1000, source.randrange(99)) if registers.in_class(tree, 3)
        )
        assert registers.Search(heads, 3).derivable()
    # Neither the class nor the system has trees that need four words in one interval.
    heads = next(tree for tree in registers.random_trees(7, 1000, 3) if not registers.in_class(tree, 3))
    assert not registers.Search(heads, 3).derivable()
    # An arc that crosses another of the interval would be drawn behind a CLEAR that comes too early.
    heads = (2, 0, 1, 2, 4, 4, 5)
    assert not registers.in_class(heads, 3)
    assert not registers.Search(heads, 3).derivable()
