"""Both tests against sums over all outcomes, or over all samples, of small cases."""

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest

from fastparse.errors import Error
from fastparse.evaluation.comparison import compare
from fastparse.evaluation.significance import exact_binomial_p, right_words, significance

from .examples import Tree, parse_of, random_trees, treebank_of


@pytest.mark.parametrize("n", range(13))
def test_the_binomial_by_enumeration(n):
    for a in range(n + 1):
        uneven = abs(2 * a - n)
        outcomes = [sum(coins) for coins in itertools.product((0, 1), repeat=n)]
        p = sum(abs(2 * heads - n) >= uneven for heads in outcomes) / len(outcomes)
        assert exact_binomial_p(a, n - a) == pytest.approx(p, rel=1e-14)


@pytest.mark.parametrize(("a", "b"), [(480, 560), (100, 900), (0, 1000), (12345, 12001), (1, 0)])
def test_the_binomial_by_rational_sums(a, b):
    n = a + b
    total = term = math.comb(n, 0)
    for k in range(1, min(a, b) + 1):
        term = term * (n - k + 1) // k
        total += term
    assert exact_binomial_p(a, b) == pytest.approx(float(Fraction(2 * total, 2**n)), rel=1e-12)
    assert exact_binomial_p(a, b) == exact_binomial_p(b, a)


def test_even_splits_and_vanishing_probabilities():
    assert exact_binomial_p(0, 0) == exact_binomial_p(7, 7) == 1.0
    assert exact_binomial_p(0, 5000) == 0.0


def two_parses(seed=1):
    gold, _ = random_trees(seed, count=60)
    first, second = parse_of(gold, 1, rate=0.1), parse_of(gold, 2, rate=0.3)
    return gold, first, second, *(compare(treebank_of(gold), treebank_of(parse)) for parse in (first, second))


@pytest.mark.parametrize("convention", ["ud", "conllx", "all"])
@pytest.mark.parametrize("measure", ["uas", "la", "las"])
def test_words_are_counted(measure, convention):
    _, _, _, one, other = two_parses()
    scored = one.scored(convention)
    a, b = (right_words(comparison, measure, convention) for comparison in (one, other))
    result = significance(one, other, measure, convention, samples=100)
    assert result.mcnemar.first_only == sum(x and not y for x, y in zip(a[scored], b[scored], strict=True))
    assert result.mcnemar.second_only == sum(y and not x for x, y in zip(a[scored], b[scored], strict=True))
    expected = 100 * (a[scored].mean() - b[scored].mean())
    assert result.bootstrap.difference == pytest.approx(expected)


def test_the_bootstrap_by_enumeration():
    # Three sentences of different length: all 27 samples, with equal probability.
    lengths, gains = [2, 4, 6], [2, -1, 3]
    gold = [Tree(["a"] * n, [0] + [1] * (n - 1), ["root"] + ["x"] * (n - 1)) for n in lengths]

    def spoiled(wrong):
        return [Tree(t.forms, t.heads, ["y"] * w + t.labels[w:]) for t, w in zip(gold, wrong, strict=True)]

    comparisons = [compare(treebank_of(gold), treebank_of(spoiled(wrong))) for wrong in ([0, 1, 0], [2, 0, 3])]
    result = significance(*comparisons, samples=200_000).bootstrap
    samples = [
        100 * sum(gains[i] for i in drawn) / sum(lengths[i] for i in drawn)
        for drawn in itertools.product(range(3), repeat=3)
    ]
    observed = 100 * sum(gains) / sum(lengths)
    assert result.difference == pytest.approx(observed)
    assert result.p == pytest.approx(np.mean([abs(d - observed) >= observed - 1e-9 for d in samples]), abs=0.005)
    assert (result.low, result.high) == pytest.approx((min(samples), max(samples)))


def test_equal_parses_do_not_differ():
    _, _, _, one, _ = two_parses()
    result = significance(one, one)
    assert (result.mcnemar.p, result.bootstrap.p, result.bootstrap.difference) == (1.0, 1.0, 0.0)


def test_a_clear_difference_is_found_and_its_sign_is_right():
    _, _, _, one, other = two_parses()
    result = significance(one, other)
    assert result.bootstrap.low > 0
    assert result.bootstrap.p < 0.001
    assert result.mcnemar.p < 0.001
    back = significance(other, one)
    assert back.bootstrap.difference == -result.bootstrap.difference
    assert back.mcnemar.p == result.mcnemar.p


def test_seeds_repeat():
    _, _, _, one, other = two_parses()
    assert significance(one, other, seed=3) == significance(one, other, seed=3)
    assert significance(one, other, seed=3).bootstrap != significance(one, other, seed=4).bootstrap
    assert json.dumps(significance(one, other).to_dict())


def test_within_some_words():
    _, _, _, one, other = two_parses()
    within = one.heads > one.positions
    result = significance(one, other, "uas", "all", samples=10, within=within)
    assert result.mcnemar.first_only == np.count_nonzero(one.right_heads & ~other.right_heads & within)
    nowhere = significance(one, other, within=np.zeros(one.n_words, bool))
    assert (nowhere.bootstrap.p, nowhere.mcnemar.p) == (1.0, 1.0)


def test_refusals():
    gold, first, _, one, other = two_parses()
    with pytest.raises(Error, match="different gold trees"):
        significance(one, compare(treebank_of(first), treebank_of(gold)))
    with pytest.raises(Error, match="'clas'"):
        significance(one, other, "clas")
    with pytest.raises(Error, match="at least one sample"):
        significance(one, other, samples=0)
