"""From learnt weights to tables: what is dropped first, and what several runs make together."""

import numpy as np
import pytest

from fastparse.learning.compiling import FINER, fitting, mean_of
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.recipes.plain import PlainRecipe
from fastparse.transition_systems.registry import resolve
from fastparse.weights.arrays import Form
from fastparse.weights.building import table_of
from tests.toy import toy

FORM = Form("moves", 3, True)
N = 2000
KEYS = np.sort(np.random.default_rng(1).integers(1, 2**63, N, dtype=np.uint64))


def rows(weights, seen, keys=KEYS):
    """One weight per feature, of class 1."""
    n = len(keys)
    classes, weights = np.ones(n, np.int32), np.zeros(n, np.int32) + weights
    return keys, np.arange(n + 1, dtype=np.int64), classes, weights, seen + np.zeros(n, np.int64)


def kept(found, options):
    """Which features have a weight in the table that is made."""
    table = fitting({"moves": found}, (FORM,), options)["moves"]
    return np.array([table.sums(np.array([key], np.uint64))[1] != 0 for key in KEYS]), table


def options(**given):
    return TrainingOptions(system="arc-eager", **given)


def size_of(n):
    return table_of(3, True, *rows(5, 1, KEYS[:n])[:4]).bytes


def test_of_equal_weights_those_of_rare_features_are_dropped():
    frequent = np.arange(N) % 2 == 0
    found, table = kept(rows(5, np.where(frequent, 100, 1)), options(max_bytes=size_of(N * 3 // 4)))
    assert (found == frequent).all()
    assert table.bytes <= size_of(N * 3 // 4)


def test_of_equally_frequent_features_those_of_small_weights_are_dropped():
    heavy = np.arange(N) % 3 == 0
    found, _ = kept(rows(np.where(heavy, -20, 10), 7), options(max_bytes=size_of(N // 2)))
    assert (found == heavy).all()


@pytest.mark.parametrize(("weight", "wins"), [(15, False), (25, True)])
def test_frequency_counts_by_its_root(weight, wins):
    """A weight of 2 seen a hundred times matters as much as one of 20 seen once."""
    rare = np.arange(N) % 2 == 0
    found, _ = kept(rows(np.where(rare, weight, 2), np.where(rare, 1, 100)), options(max_bytes=size_of(N * 3 // 4)))
    assert (found == (rare if wins else ~rare)).all()


def test_small_weights_are_dropped_at_any_size():
    small = np.arange(N) % 2 == 0
    found, _ = kept(rows(np.where(small, 2, 3), 1), options(least_weight=3))
    assert (found == ~small).all()


def test_features_are_counted_for_models_of_limited_size():
    limited = options(max_bytes=100_000, beam=1)
    learner = PlainRecipe(toy(), resolve("arc-eager"), limited, Account()).learner(limited)
    learner.learn(np.arange(len(toy())), 1, 0)
    for name, row in learner.part(limited).items():
        assert row[4].max() > 10, name
    for row in learner.part(options(beam=1, max_bytes=None)).values():
        assert (row[4] == 1).all()


def test_the_mean_of_runs():
    keys = np.array([3, 5, 9], np.uint64)
    one = rows(np.array([4, 8, 6]) * FINER, np.array([2, 3, 4]), keys)
    other = rows(np.array([2, -8, 1]) * FINER, np.array([5, 1, 1]), np.array([3, 5, 11], np.uint64))
    found, starts, classes, weights, seen = mean_of([{"moves": one}, {"moves": other}])["moves"]
    # Of the feature 5 nothing is left; features of one run alone have half their weight, rounded.
    assert found.tolist() == [3, 9, 11]
    assert starts.tolist() == [0, 1, 2, 3]
    assert classes.tolist() == [1, 1, 1]
    assert weights.tolist() == [3, 3, 1]
    assert seen.tolist() == [5, 4, 1]
    same = mean_of([{"moves": one}, {"moves": one}])["moves"]
    assert same[3].tolist() == [4, 8, 6]
