"""Every breakdown against one computed word by word."""

from dataclasses import astuple
from functools import cache

import pytest

from fastparse.evaluation import breakdowns
from fastparse.evaluation.attachment import evaluate
from fastparse.evaluation.comparison import CONVENTIONS, compare

from . import naive
from .examples import Tree, parse_of, random_trees, treebank_of

EVERY = pytest.mark.parametrize("convention", CONVENTIONS)
SEEDS = pytest.mark.parametrize("seed", range(6))


@cache
def case(seed):
    gold, _ = random_trees(seed, count=30, longest=[12, 40][seed % 2])
    parse = parse_of(gold, seed, rate=[0.05, 0.3][seed % 2])
    return gold, parse, compare(treebank_of(gold), treebank_of(parse))


def assert_same(breakdown, expected):
    assert {group.name for group in breakdown.groups if group.words or group.predicted} == expected.keys()
    for group in breakdown.groups:
        values = astuple(group)[1:]
        wanted = expected.get(group.name, (0, None, None, None, 0, None))
        if group.predicted is None:
            values, wanted = values[:4], wanted[:4]
        assert values == pytest.approx(wanted), group.name


@EVERY
@SEEDS
def test_by_label(seed, convention):
    gold, parse, comparison = case(seed)
    breakdown = breakdowns.by_label(comparison, convention)
    expected = naive.group(
        gold, parse, convention, lambda tree, word: [naive.compared(tree.labels[word - 1], convention)]
    )
    assert_same(breakdown, expected)
    order = [(-group.words, group.name) for group in breakdown.groups]
    assert order == sorted(order)


@EVERY
@SEEDS
def test_by_arc_length(seed, convention):
    gold, parse, comparison = case(seed)

    def key(tree, word):
        head = tree.heads[word - 1]
        length = abs(head - word)
        return ["root" if head == 0 else "1-2" if length <= 2 else "3-8" if length <= 8 else "9+"]

    breakdown = breakdowns.by_arc_length(comparison, convention, bounds=(2, 8))
    assert_same(breakdown, naive.group(gold, parse, convention, key))
    assert [group.name for group in breakdown.groups][:2] == ["root", "1-2"]


def test_words_without_a_label_are_a_group():
    gold = [Tree(["a", "b", "c"], [0, 1, 1], ["root", "_", "obj"])]
    parse = [Tree(["a", "b", "c"], [0, 1, 1], ["_", "_", "_"])]
    breakdown = breakdowns.by_label(compare(treebank_of(gold), treebank_of(parse)))
    assert [(group.name, group.words, group.predicted) for group in breakdown.groups] == [
        ("_", 1, 3),
        ("obj", 1, 0),
        ("root", 1, 0),
    ]


def test_the_names_of_ranges():
    _, _, comparison = case(1)
    names = [group.name for group in breakdowns.by_arc_length(comparison).groups]
    assert names == [
        name for name in ["root", "1", "2", "3", "4", "5", "6-10", "11-15", "16-20", "21-30", "31+"] if name in names
    ]
    assert len(names) >= 9


@EVERY
@SEEDS
def test_by_sentence_length(seed, convention):
    gold, parse, comparison = case(seed)

    def key(tree, word):
        return ["1-5" if len(tree.forms) <= 5 else "6-10" if len(tree.forms) <= 10 else "11+"]

    breakdown = breakdowns.by_sentence_length(comparison, convention, bounds=(5, 10))
    assert all(group.predicted is None for group in breakdown.groups)
    assert_same(breakdown, naive.group(gold, parse, convention, key))


@EVERY
@SEEDS
def test_by_crossing(seed, convention):
    gold, parse, comparison = case(seed)
    crossed = cache_by_tree(naive.crossed)
    expected = naive.group(
        gold, parse, convention, lambda tree, word: ["crossed" if word in crossed(tree) else "uncrossed"]
    )
    assert_same(breakdowns.by_crossing(comparison, convention), expected)


@EVERY
@SEEDS
def test_by_projectivity(seed, convention):
    gold, parse, comparison = case(seed)
    crooked = cache_by_tree(naive.nonprojective)

    def key(tree, word):
        head = tree.heads[word - 1]
        kind = "non-projective" if word in crooked(tree) else "projective"
        return [kind, f"{kind}, {'root' if head == 0 else 'left' if word < head else 'right'}"]

    expected = naive.group(gold, parse, convention, key)
    breakdown = breakdowns.by_projectivity(comparison, convention)
    assert_same(breakdown, expected)

    words, _, _, las, predicted, precision = expected["non-projective"]
    arcs = breakdowns.nonprojective_precision_recall(comparison, convention)
    assert (arcs.gold, arcs.recall, arcs.predicted, arcs.precision) == pytest.approx((words, las, predicted, precision))

    tokens = breakdowns.nonprojective_tokens(comparison, convention)
    scores = evaluate(treebank_of(gold), treebank_of(parse), convention)
    assert (tokens.words, tokens.las_nonprojective) == pytest.approx((words, las))
    assert (tokens.las, tokens.exact, tokens.exact_labelled) == (scores.las, scores.exact, scores.exact_labelled)


def cache_by_tree(function):
    known = {}
    return lambda tree: known.setdefault(id(tree), function(tree)) if id(tree) not in known else known[id(tree)]


def test_nothing_non_projective():
    flat = [Tree(["a", "b"], [0, 1], ["root", "obj"])]
    comparison = compare(treebank_of(flat), treebank_of(flat))
    arcs = breakdowns.nonprojective_precision_recall(comparison)
    assert (arcs.precision, arcs.recall, arcs.predicted, arcs.gold) == (None, None, 0, 0)
    assert "-" in arcs.table()
    assert breakdowns.by_crossing(comparison)["crossed"].uas is None


def test_groups_are_found_by_name_and_printed():
    _, _, comparison = case(1)
    breakdown = breakdowns.by_crossing(comparison, "all")
    assert breakdown["crossed"].words + breakdown["uncrossed"].words == comparison.n_words
    with pytest.raises(KeyError):
        breakdown["planar"]
    assert "convention all" in breakdown.table()
    assert breakdown.to_dict()["groups"][0]["name"] == "crossed"
