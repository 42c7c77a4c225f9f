"""A million words: no recursion, and a cost of words plus crossings."""

import numpy as np
import pytest

from fastparse import trees
from tests.reference import trees as naive
from tests.trees.generate import all_crossing, chain, comb, nested_comb, random_tree, star

MILLION = 1_000_000


@pytest.mark.parametrize("shape", [chain, star])
def test_projective_shapes(shape):
    heads = shape(MILLION)
    record = trees.classify(heads)
    assert record.projective
    assert trees.crossing_intervals(heads) == []
    assert not trees.crossed_arcs(heads).any()
    assert trees.projective_treebank(heads, [0, MILLION]).tolist() == heads.tolist()
    assert trees.lift_treebank(heads, [0, MILLION], "2-crossing-interval")[1] == 0


@pytest.mark.parametrize("shape", [comb, nested_comb])
def test_crossing_shapes(shape):
    small = shape(24).tolist()
    assert naive.is_tree(small)
    expected = trees.classify(small)
    assert not expected.projective
    heads = shape(MILLION)
    record = trees.classify(heads)
    assert record.planes == expected.planes
    assert record.one_endpoint_crossing == expected.one_endpoint_crossing == naive.is_one_endpoint_crossing(small)
    assert record.well_nested == expected.well_nested == naive.is_well_nested(small)
    assert record.edge_degree == expected.edge_degree == naive.edge_degree(small)
    assert max(trees.planes(heads)) + 1 == record.planes
    assert len(trees.crossing_intervals(comb(24))) == 6
    assert len(trees.crossing_intervals(comb(MILLION))) == MILLION // 4


def test_lifting_a_comb_is_local():
    heads = comb(MILLION)
    lifted, moved = trees.lift_treebank(heads, [0, MILLION], "projective")
    assert moved == trees.lift_treebank(comb(400), [0, 400], "projective")[1] * 2500
    assert trees.contains(lifted, "projective")
    assert trees.contains(trees.projective_treebank(heads, [0, MILLION]), "projective")


def test_tests_of_membership_do_not_visit_crossings():
    # Some 10 ** 9 pairs of arcs cross.
    heads = all_crossing(100_000)
    for name in ("2-planar", "2-crossing-interval", "1-endpoint-crossing", "well-nested", "gap-degree-1"):
        assert trees.contains(heads, name)
    assert trees.crossed_arcs(heads).sum() == trees.crossed_arcs(heads.tolist()).sum() > 60_000


@pytest.mark.parametrize("n", [200, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("reach", [3, 10, None])
def test_long_random_trees_agree_with_simple_versions(n, reach):
    heads = random_tree(n, 1, reach)
    record = trees.classify(heads)
    span = np.array([sorted((h, m)) for m, h in enumerate(heads, 1)])
    low, high = span[:, 0], span[:, 1]
    crosses = (low[:, None] < low) & (low < high[:, None]) & (high[:, None] < high)
    crosses |= crosses.T
    assert (crosses.any(axis=1) == trees.crossed_arcs(heads)).all()
    above = np.zeros((n + 1, n + 1), dtype=bool)  # above[a, v]: a dominates v
    for m in range(n + 1):
        above[naive.ancestors(heads, m), m] = True
    nonprojective = np.array([not above[h, min(h, m) + 1 : max(h, m)].all() for m, h in enumerate(heads, 1)])
    assert (nonprojective == trees.nonprojective_arcs(heads)).all()
    assert record.projective == (not nonprojective.any())
    gaps = (np.diff(above.astype(np.int8), axis=1) == 1).sum(axis=1) + above[:, 0]
    assert record.block_degree == gaps.max()
    comparable = above | above.T
    head = np.array(heads)
    assert record.well_nested == (not (crosses & ~comparable[head][:, head]).any())
    ends = np.zeros((n, n + 1), dtype=bool)
    ends[np.arange(n), head] = ends[np.arange(n), np.arange(1, n + 1)] = True
    shared = [not len(f) or ends[f].all(axis=0).any() for f in (np.flatnonzero(row) for row in crosses)]
    assert record.one_endpoint_crossing == all(shared)
    inwards = crosses & (low[:, None] < np.arange(1, n + 1)) & (np.arange(1, n + 1) < high[:, None])
    pieces = (inwards & ~above[head][:, 1:]).sum(axis=1)
    assert record.edge_degree == pieces.max()
