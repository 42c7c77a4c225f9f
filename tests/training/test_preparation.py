"""What becomes of a treebank before anything is learnt from it."""

import numpy as np
import pytest

import fastparse
from fastparse.learning.linear import PlainRecipe
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.transition_systems.registry import resolve
from tests.trees.generate import random_tree


def bank_of(heads, deprels=None):
    return fastparse.Treebank.from_columns(
        [["w"] * len(tree) for tree in heads], heads=heads, deprels=deprels or [["x"] * len(tree) for tree in heads]
    )


def prepared(bank, system):
    options = TrainingOptions(system=system, single_root=False, encoder=None)
    return PlainRecipe(bank, resolve(system), options, Account()).trees


@pytest.mark.parametrize(
    ("system", "into"),
    [("two-registers", "2-crossing-interval"), ("2-planar", "2-planar"), ("attardi", "projective")],
)
def test_only_trees_outside_are_lifted_and_no_further_than_into_the_class(system, into):
    heads = [list(random_tree(n, seed)) for n in (5, 9) for seed in range(40)]
    inside = fastparse.count_transitions(heads, system) >= 0
    assert 0 < inside.sum() < len(heads)
    lifted = [list(fastparse.trees.lift(tree, into)) for tree in heads]
    assert any(tree != other for tree, other, within in zip(heads, lifted, inside, strict=True) if not within)
    expected = [tree if within else other for tree, other, within in zip(heads, lifted, inside, strict=True)]
    assert prepared(bank_of(heads), system).heads.tolist() == np.concatenate(expected).tolist()


def test_labels_are_numbered_by_their_first_use():
    bank = bank_of([[0, 1], [2, 0, 2]], [["root", "b"], ["c", "root", "a"]])
    found = prepared(bank.select([1, 0]), "arc-eager")
    assert found.labels == ("c", "root", "a", "b")
    assert found.label_ids.tolist() == [0, 1, 2, 1, 3]
