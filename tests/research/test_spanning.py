"""Maximum spanning trees against all trees, and the arcs a network chooses."""

from itertools import product

import numpy as np
import pytest

from fastparse.learning.networks.plan import Dropout
from fastparse.learning.networks.shapes import Shape
from research.spanning import spanning_tree, trees_by_arcs
from tests.networks.small import course
from tests.toy import toy


def reaches_root(heads):
    for node in range(1, len(heads)):
        for _ in heads:
            node = heads[node] if node else 0
        if node:
            return False
    return True


def trees(n, single_root):
    for heads in product(range(n + 1), repeat=n):
        if (not single_root or heads.count(0) == 1) and reaches_root((0, *heads)):
            yield heads


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_no_tree_has_a_larger_sum(n, single_root):
    source = np.random.default_rng(n)
    for _ in range(30 if n < 5 else 8):
        scores = source.standard_normal((n + 1, n + 1)) * source.choice([1, 10])
        found = spanning_tree(scores, single_root)
        sums = {heads: sum(scores[i + 1, head] for i, head in enumerate(heads)) for heads in trees(n, single_root)}
        assert tuple(found[1:].tolist()) == max(sums, key=sums.get)
        assert found[0] == -1


def test_long_chains_of_circles_are_untied():
    n = 60
    scores = np.zeros((n + 1, n + 1))
    for i in range(1, n, 2):  # pairs that want each other, each of which would rather hang from the next pair
        scores[i, i + 1] = scores[i + 1, i] = 10
        scores[i, min(i + 2, n)] += 5
    found = spanning_tree(scores)
    assert reaches_root([max(0, head) for head in found])


def test_a_network_finds_the_trees_it_has_learnt_by_arcs():
    shape = Shape(width=32, pieces=2, distances=(1, 2), form=24, affix=16, tag=8, feature=8, hidden=32, heads=32)
    learning = course("swap", shape, rounds=40, rate=8e-3, outputs=(), dropout=Dropout(0, 0, 0, 0, 0, 0, 0))
    learning.run(lambda row: None)
    heads, labels = trees_by_arcs(learning.network, toy())
    assert (heads == toy().heads).mean() > 0.98
    names = [learning.network.labels[i] for i in labels]
    gold = [toy().deprel_table[i] for i in toy().deprel_ids]
    assert np.mean([a == b for a, b in zip(names, gold, strict=True)]) > 0.98
