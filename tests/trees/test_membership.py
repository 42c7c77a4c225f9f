"""Every test of a tree against its definition, on all small and random larger trees; class sizes against the counts."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from fastparse import trees
from fastparse.errors import Error, UnknownNameError
from tests.reference import trees as naive
from tests.trees.generate import every_tree, random_tree

COUNTS = json.loads((Path(__file__).parent.parent / "data" / "counts.json").read_text())["classes"]
COUNTED = {
    "all": "all",
    "projective": "projective",
    "two_crossing_interval": "2-crossing-interval",
    "three_crossing_interval": "3-crossing-interval",
    "one_endpoint_crossing": "1-endpoint-crossing",
    "two_planar": "2-planar",
    "well_nested": "well-nested",
    "gap_degree_le_1": "gap-degree-1",
    "well_nested_gap_le_1": "well-nested-gap-degree-1",
}


def definition(heads, root_arcs):
    gaps = naive.gap_degree(heads)
    return trees.TreeClasses(
        projective=naive.is_projective(heads),
        planar=naive.is_planar(heads, root_arcs),
        planes=naive.fewest_planes(heads, root_arcs),
        crossing_interval=naive.crossing_interval_degree(heads),
        one_endpoint_crossing=naive.is_one_endpoint_crossing(heads),
        well_nested=naive.is_well_nested(heads),
        gap_degree=gaps,
        block_degree=gaps + 1,
        edge_degree=naive.edge_degree(heads),
        covered_root=naive.has_covered_root(heads),
    )


@pytest.mark.parametrize("root_arcs", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_records_equal_the_definitions_on_every_small_tree(n, root_arcs):
    for heads in naive.all_trees(n):
        assert trees.classify(heads, root_arcs=root_arcs) == definition(heads, root_arcs), heads


@pytest.mark.parametrize("reach", [2, 3, None])
@pytest.mark.parametrize("n", [7, 9])
def test_records_equal_the_definitions_on_random_trees(n, reach):
    for seed in range(40):
        heads = random_tree(n, seed, reach)
        for root_arcs in (False, True):
            assert trees.classify(heads, root_arcs=root_arcs) == definition(heads, root_arcs), heads


@pytest.mark.parametrize("reach", [2, 4, None])
@pytest.mark.parametrize("n", [15, 40])
def test_polynomial_fields_equal_the_definitions_on_longer_trees(n, reach):
    for seed in range(10):
        heads = random_tree(n, seed, reach)
        record = trees.classify(heads)
        assert record.projective == naive.is_projective(heads)
        assert record.planar == naive.is_planar(heads)
        assert record.one_endpoint_crossing == naive.is_one_endpoint_crossing(heads)
        assert record.well_nested == naive.is_well_nested(heads)
        assert record.gap_degree == naive.gap_degree(heads)
        assert record.edge_degree == naive.edge_degree(heads)
        assert record.covered_root == naive.has_covered_root(heads)


@pytest.mark.parametrize("n", range(1, 8))
def test_class_sizes(n):
    heads, offsets = every_tree(n)
    one_root = (heads.reshape(-1, n) == 0).sum(axis=1) == 1
    assert len(offsets) - 1 == (n + 1) ** (n - 1)
    sizes = {counted: trees.contains_treebank(heads, offsets, name) for counted, name in COUNTED.items()}
    sizes["two_ci_and_well_nested"] = sizes["two_crossing_interval"] & sizes["well_nested"]
    assert {
        name: {"any_root": inside.sum(), "single_root": (inside & one_root).sum()} for name, inside in sizes.items()
    } == COUNTS[str(n)]


@pytest.mark.parametrize("n", [5, 6])
def test_treebank_records_equal_single_ones(n):
    heads, offsets = every_tree(n)
    for root_arcs in (False, True):
        table = trees.classify_treebank(heads, offsets, root_arcs=root_arcs)
        for s in range(0, len(offsets) - 1, 7):
            single = trees.classify(heads[offsets[s] : offsets[s + 1]], root_arcs=root_arcs)
            assert tuple(column[s] for column in table) == single


def test_membership_agrees_with_the_record():
    heads, offsets = every_tree(6)
    words = trees.classify_treebank(heads, offsets)
    with_root = trees.classify_treebank(heads, offsets, root_arcs=True)
    for root_arcs, record in ((False, words), (True, with_root)):
        expected = {
            "all": np.ones(len(offsets) - 1, bool),
            "projective": record.projective,
            "planar": record.planar,
            "2-planar": record.planes <= 2,
            "3-planar": record.planes <= 3,
            "2-crossing-interval": record.crossing_interval <= 2,
            "3-crossing-interval": record.crossing_interval <= 3,
            "1-endpoint-crossing": record.one_endpoint_crossing,
            "well-nested": record.well_nested,
            "gap-degree-1": record.gap_degree <= 1,
            "well-nested-gap-degree-1": record.well_nested & (record.gap_degree <= 1),
        }
        assert set(expected) == set(trees.classes())
        for name, inside in expected.items():
            assert (trees.contains_treebank(heads, offsets, name, root_arcs=root_arcs) == inside).all(), name


def test_planar_with_root_arcs_is_projective():
    heads, offsets = every_tree(6)
    record = trees.classify_treebank(heads, offsets, root_arcs=True)
    assert (record.planar == record.projective).all()


def test_a_tree_without_words():
    record = trees.classify([])
    assert record.projective
    assert record.planes == 1
    assert record.gap_degree == 0


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([2, 1], "heads of words 1, 2 form a cycle; expected heads that lead"),
        ([1], "word 1 is its own head"),
        ([0, 3, 4, 2, 3], "words 2, 3, 4 form a cycle"),
        ([*range(2, 21), 1], "words 1, 2, 3, 4, 5, 6, 7, 8, .. form a cycle"),
        ([0, 5], "head of word 2 is 5; expected 0 .the root. or another word from 1 to 2"),
        ([0, -1], "head of word 2 is -1"),
        ([0.0, 1.0], "must be integers"),
        ([[0, 1]], "flat"),
        ([2**40, 0], "0 to 2"),
    ],
)
def test_refuses_what_is_not_a_tree(heads, message):
    with pytest.raises(Error, match=message):
        trees.classify(heads)
    with pytest.raises(ValueError, match=message):
        trees.contains(heads, "projective")


def test_names_the_sentence_that_is_not_a_tree():
    with pytest.raises(Error, match=r"sentence 1 .*word 2"):
        trees.classify_treebank([0, 0, 2], [0, 1, 3])


@pytest.mark.parametrize("offsets", [[], [0, 2], [1, 3], [0, 3, 2, 3], [[0, 3]], [0.0, 3.0]])
def test_refuses_offsets_that_do_not_fit(offsets):
    with pytest.raises(Error, match="offsets"):
        trees.contains_treebank([0, 1, 2], offsets, "projective")


@pytest.mark.parametrize("name", ["planer", "0-planar", "-1-planar", "", None, "2-PLANAR", "2-planar "])
def test_refuses_unknown_classes(name):
    with pytest.raises(UnknownNameError, match="unknown tree class"):
        trees.contains([0], name)


def test_accepts_other_numbers_and_other_integers():
    assert trees.contains((3, 0, 2, 1), "17-planar")
    assert trees.contains(np.array([3, 0, 2, 1], dtype=np.uint8), "gap-degree-2")
    assert trees.contains(np.array([3, 9, 0, 9, 2, 9])[::2], "2-crossing-interval")


def test_shares_of_the_classes_are_nested():
    sizes = Counter()
    for seed in range(300):
        heads = random_tree(9, seed, 2)
        inside = {name: trees.contains(heads, name) for name in trees.classes()}
        order = ["projective", "2-crossing-interval", "1-endpoint-crossing", "2-planar", "3-planar", "all"]
        for small, large in pairwise(order):
            assert inside[large] or not inside[small]
        sizes.update(name for name in order if inside[name])
    assert sizes["projective"] < sizes["2-crossing-interval"] < sizes["2-planar"] < sizes["all"]
