"""Crossing intervals, arc flags and planes against their definitions."""

from itertools import combinations

import numpy as np
import pytest

import fastparse
from fastparse import trees
from fastparse.errors import Error
from tests.reference import trees as naive
from tests.trees.generate import random_tree


def some_trees():
    for n in range(1, 6):
        yield from naive.all_trees(n)
    for seed in range(40):
        for n, reach in ((8, 2), (12, 3), (25, 2), (25, 5), (30, None)):
            yield random_tree(n, seed, reach)


def intervals_by_definition(heads):
    return [(i[0], i[1], naive.valid_pairs(heads, i)) for i in naive.crossing_intervals(heads)]


def test_intervals_and_all_their_valid_pairs():
    several = 0
    for heads in some_trees():
        found = trees.crossing_intervals(heads)
        assert found == intervals_by_definition(heads), heads
        several += len(found) > 1
    assert several > 20


def test_the_class_is_that_of_trees_whose_intervals_all_have_a_pair():
    for heads in some_trees():
        assert trees.contains(heads, "2-crossing-interval") == all(p for _, _, p in trees.crossing_intervals(heads))


@pytest.mark.parametrize("root_arcs", [True, False])
def test_crossed_arcs(root_arcs):
    for heads in some_trees():
        crossed = naive.crossed_arcs(heads, root_arcs)
        expected = [(h, m) in crossed for m, h in enumerate(heads, 1)]
        assert trees.crossed_arcs(heads, root_arcs=root_arcs).tolist() == expected, heads


def test_nonprojective_arcs():
    for heads in some_trees():
        nonprojective = naive.nonprojective_arcs(heads)
        expected = [(h, m) in nonprojective for m, h in enumerate(heads, 1)]
        assert trees.nonprojective_arcs(heads).tolist() == expected, heads


def test_flags_of_a_treebank_are_those_of_its_sentences():
    sentences = [random_tree(n, n, 4) for n in (1, 30, 2, 17, 40)]
    heads = np.concatenate(sentences)
    offsets = np.cumsum([0, *map(len, sentences)])
    for treebank, single in (
        (trees.crossed_arcs_treebank, trees.crossed_arcs),
        (trees.nonprojective_arcs_treebank, trees.nonprojective_arcs),
    ):
        assert treebank(heads, offsets).tolist() == np.concatenate([single(s) for s in sentences]).tolist()
        assert treebank(heads, offsets).any()


@pytest.mark.parametrize("root_arcs", [True, False])
def test_planes_hold_no_crossing_and_are_the_fewest(root_arcs):
    for heads in some_trees():
        planes = trees.planes(heads, root_arcs=root_arcs)
        assert len(set(planes)) == max(planes) + 1 == trees.classify(heads, root_arcs=root_arcs).planes
        for e, f in combinations(naive.arcs(heads, root_arcs), 2):
            assert planes[e[1] - 1] != planes[f[1] - 1] or not naive.cross(e, f), heads
        if len(naive.crossed_arcs(heads, root_arcs)) < 16:
            assert max(planes) + 1 == naive.fewest_planes(heads, root_arcs), heads


def test_many_planes():
    # k + 1 arcs from the first words to the last, all crossing each other: each needs a plane of its own.
    for k in range(1, 9):
        heads = [0, *range(1, k + 1), *range(1, k + 1)]
        assert trees.classify(heads).planes == naive.fewest_planes(heads) == k


def test_a_search_that_gives_up_says_so():
    heads = random_tree(1200, 1)
    record = trees.classify(heads)
    assert record.planes == -1
    assert not trees.contains(heads, "2-planar")
    with pytest.raises(Error, match="smallest number of planes"):
        trees.planes(heads)
    with pytest.raises(Error, match="3-planar"):
        trees.contains(heads, "3-planar")


def test_two_crossing_intervals():
    """Figure 1 of Pitler and McDonald (2015): a question, and a relative clause with a word moved behind its verb."""
    heads = [5, 4, 4, 0, 4, 5, 6, 12, 10, 12, 12, 7, 10, 13]
    first, second = trees.crossing_intervals(heads)
    assert first[:2] == (0, 5)
    assert (4, 5) in first[2]
    assert second == (7, 13, [(10, 12)])
    assert trees.classify(heads, root_arcs=True).crossing_interval == 2
    assert fastparse.derive(heads, "two-registers").heads == heads


@pytest.mark.parametrize("n", [2, 3, 10])
def test_two_words_that_share_a_sentence(n):
    """Figure 2 of the same paper: the first and the last word have every other word between them as a child."""
    heads = [0, *([2 * n + 2, 1] * n), 0]
    found = trees.classify(heads)
    assert found.crossing_interval == 2
    assert not found.well_nested
    assert found.block_degree == n + 1
    assert fastparse.derive(heads, "two-registers").heads == heads
