"""Lifting reaches the class, moves few arcs, and leaves nothing that could be undone."""

import numpy as np
import pytest

from fastparse import trees
from fastparse.errors import Error, UnknownNameError
from tests.reference import trees as naive
from tests.trees.generate import every_tree, random_tree

CLASSES = [name for name in trees.classes() if name != "all"]


def can_be_undone(heads, lifted, inside):
    """A word that could go back alone to its head, or to an ancestor of it below its new head."""
    for m, (old, new) in enumerate(zip(heads, lifted, strict=True), 1):
        while old != new:
            if inside([*lifted[: m - 1], old, *lifted[m:]]):
                return m
            old = heads[old - 1]
    return None


def check(heads, lifted, inside):
    assert inside(lifted), heads
    assert all(new in naive.ancestors(heads, m)[1:] for m, new in enumerate(lifted, 1)), heads
    assert can_be_undone(heads, lifted, inside) is None, heads
    if inside(heads):
        assert lifted == list(heads)


@pytest.mark.parametrize("name", CLASSES)
def test_every_tree_of_five_words(name):
    for heads in naive.all_trees(5):
        check(heads, trees.lift(heads, name), lambda tree: trees.contains(tree, name))


@pytest.mark.parametrize("name", ["planar", "2-planar"])
def test_planar_classes_over_arcs_between_words(name):
    for heads in naive.all_trees(5):
        check(heads, trees.lift(heads, name, root_arcs=False), lambda tree: trees.contains(tree, name, root_arcs=False))


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize(("n", "reach"), [(12, 3), (25, 4), (18, None)])
def test_random_trees(name, n, reach):
    for seed in range(4):
        heads = random_tree(n, seed, reach)
        check(heads, trees.lift(heads, name), lambda tree: trees.contains(tree, name))


def test_large_tangles_are_made_projective_first():
    heads = random_tree(150, 3)
    lifted = trees.lift(heads, "2-crossing-interval")
    check(heads, lifted, lambda tree: trees.contains(tree, "2-crossing-interval"))
    assert np.sum(np.array(lifted) != heads) < np.sum(np.array(trees.projective_heads(heads)) != heads)


@pytest.mark.parametrize(("n", "fewest"), [(4, 4), (5, 280), (6, 9360)])
def test_few_words_move_into_the_two_crossing_interval_class(n, fewest):
    heads, offsets = every_tree(n)
    lifted, moved = trees.lift_treebank(heads, offsets, "2-crossing-interval")
    outside = np.repeat(~trees.contains_treebank(heads, offsets, "2-crossing-interval"), n)
    assert trees.contains_treebank(lifted, offsets, "2-crossing-interval").all()
    assert moved == (lifted != heads).sum() == (lifted != heads)[outside].sum()
    assert fewest <= moved <= 1.05 * fewest
    assert 2 * moved <= (trees.projective_treebank(heads, offsets) != heads)[outside].sum()


def test_a_predicate_in_place_of_a_class():
    def few_children_of_root_or_projective(heads):
        return heads.count(0) == 1 or naive.is_projective(heads)

    for heads in naive.all_trees(4):
        check(heads, trees.lift(heads, few_children_of_root_or_projective), few_children_of_root_or_projective)


def test_an_error_in_a_predicate_gets_out():
    def fails(heads):
        raise KeyError("from within")

    with pytest.raises(KeyError, match="from within"):
        trees.lift([3, 0, 2], fails)


@pytest.mark.parametrize("at_once", [False, True])
def test_projective_heads(at_once):
    for n in range(1, 6):
        for heads in naive.all_trees(n):
            projective = trees.projective_heads(heads, at_once=at_once)
            assert naive.is_projective(projective)
            assert projective == (all_at_once(heads) if at_once else shortest_first(heads)), heads
    for seed in range(20):
        heads = random_tree(30, seed, 5)
        projective = trees.projective_heads(heads, at_once=at_once)
        assert projective == (all_at_once(heads) if at_once else shortest_first(heads)), heads


def all_at_once(heads):
    def anchor(m):
        a = heads[m - 1]
        while any(a not in naive.ancestors(heads, k) for k in naive.inside((a, m))):
            a = heads[a - 1]
        return a

    return [anchor(m) for m in range(1, len(heads) + 1)]


def shortest_first(heads):
    heads = list(heads)
    while arcs := naive.nonprojective_arcs(heads):
        h, m = min(arcs, key=lambda arc: (abs(arc[0] - arc[1]), arc[1]))
        heads[m - 1] = heads[h - 1]
    return heads


def test_lifting_at_once_moves_exactly_the_nonprojective_arcs():
    heads, offsets = every_tree(6)
    moved = trees.projective_treebank(heads, offsets, at_once=True) != heads
    assert (moved == trees.nonprojective_arcs_treebank(heads, offsets)).all()


def test_one_at_a_time_may_move_others():
    # The known example: 1 and 4 are non-projective, 5 is moved too.
    assert trees.projective_heads([3, 0, 0, 1, 3], at_once=True) == [0, 0, 0, 3, 3]
    assert trees.projective_heads([3, 0, 0, 1, 3])[4] != 3
    heads, offsets = every_tree(5)
    moved = trees.projective_treebank(heads, offsets) != heads
    others = moved & ~trees.nonprojective_arcs_treebank(heads, offsets)
    assert others.reshape(-1, 5).any(axis=1).sum() == 4


def test_a_treebank_is_lifted_sentence_by_sentence():
    sentences = [random_tree(n, n, 4) for n in (1, 30, 2, 17, 40)]
    heads = np.concatenate(sentences)
    offsets = np.cumsum([0, *map(len, sentences)])
    lifted, moved = trees.lift_treebank(heads, offsets, "1-endpoint-crossing")
    assert lifted.tolist() == np.concatenate([trees.lift(s, "1-endpoint-crossing") for s in sentences]).tolist()
    assert moved == (lifted != heads).sum() > 0


def test_refusals():
    with pytest.raises(UnknownNameError, match="unknown tree class 'flat'"):
        trees.lift([0], "flat")
    with pytest.raises(Error, match="not a tree"):
        trees.lift([2, 1], "projective")
    with pytest.raises(Error, match="sentence 1"):
        trees.lift_treebank([0, 2, 1], [0, 1, 3], "projective")
