"""Learning against the perceptron spelled out: the same weights, the same sums for averages, the same counts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import fastparse
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.recipes.easy_first import EasyFirstRecipe
from fastparse.learning.recipes.plain import PlainRecipe, in_minibatches, minibatch_for
from fastparse.search.easy_first import EasyFirstEngine
from fastparse.search.engine import Outcome
from fastparse.transition_systems.registry import has_dynamic_oracle, resolve
from tests.training.naive import NaiveLearner
from tests.training.naive_easy_first import NaiveEasyFirst
from tests.training.naive_labels import NaiveWithLabels

TAGS = ("NOUN", "VERB", "ADP")
LABELS = ("a", "b", "c")
MOVES = ("S0.upos B0.upos", "S0.form", "S0.deprel S0.lval", "S1.upos S0.upos dist(S0,B0)", "B0.l1.deprel", "R1.upos")
ARCS = ("H.upos D.upos", "dir(H,D) D.form", "D.l1.deprel H.rval", "H.deprel")


def trees(seed, n=10, projective=True):
    """Random trees of words of a few kinds."""
    random = np.random.default_rng(seed)
    forms, tags, heads, labels = [], [], [], []
    for _ in range(n):
        size = int(random.integers(1, 8))
        order = (random.permutation(size) + 1).tolist()
        tree = [0] * size
        for k in range(1, size):
            tree[order[k] - 1] = order[int(random.integers(0, k))]
        heads.append(fastparse.trees.lift(tree, "projective") if projective else tree)
        forms.append([str(form) for form in random.integers(0, 4, size)])
        tags.append([TAGS[k] for k in random.integers(0, 3, size)])
        labels.append(["root" if head == 0 else LABELS[int(random.integers(0, 3))] for head in heads[-1]])
    return fastparse.Treebank.from_columns(forms, upos=tags, heads=heads, deprels=labels)


@pytest.fixture(scope="module")
def templates(tmp_path_factory):
    path = tmp_path_factory.mktemp("templates") / "few.txt"
    path.write_text("\n".join(["[moves]", *MOVES, "[labels]", *ARCS, ""]))
    return str(path)


def both(system, treebank, **options):
    """The learner and the naive one."""
    options = TrainingOptions(system=system, **options)
    recipe = PlainRecipe(treebank, resolve(system), options, Account())
    naive = NaiveWithLabels if options.labels == "moves" else NaiveLearner
    return recipe.learner(options), naive(recipe)


def content(table):
    found = table.state()
    places = zip(np.repeat(found["keys"], found["counts"]).tolist(), found["classes"].tolist(), strict=True)
    rows = zip(found["weights"].tolist(), found["drift"].tolist(), strict=True)
    return {at: row for at, row in zip(places, rows, strict=True) if any(row)}


def check(learner, naive):
    trainer = learner.trainer
    assert (trainer.clock, trainer.n_updates) == (naive.clock, naive.updates)
    for name, table in naive.tables.items():
        assert table.content()
        assert content(learner.tables[name]) == table.content(), name


ORDER = np.arange(10)


@pytest.mark.parametrize("margin", [0, 3])
@pytest.mark.parametrize("explore", [False, True])
@pytest.mark.parametrize("system", ["arc-eager", "hybrid", "covington", "arc-standard", "swap", "attardi"])
def test_greedy_learning(templates, system, explore, margin):
    treebank = trees(1, projective=system != "covington")
    options = {"templates": templates, "single_root": False, "explore": float(explore), "margin": margin}
    learner, naive = both(system, treebank, beam=1, **options)
    for iteration in (1, 2, 3):
        learner.learn(ORDER, iteration, 0)
        # The first iteration follows the oracle.
        naive.learn_greedy(ORDER, has_dynamic_oracle(system), explore and iteration > 1, margin)
        check(learner, naive)
        assert learner.trainer.n_steps == naive.steps
    assert explore == (naive.explored > 0)


@pytest.mark.parametrize("system", ["arc-eager", "arc-standard"])
def test_greedy_learning_of_single_roots(templates, system):
    learner, naive = both(system, trees(2), beam=1, templates=templates, single_root=True, explore=0.0, margin=1)
    for iteration in (1, 2, 3):
        learner.learn(ORDER, iteration, 0)
        naive.learn_greedy(ORDER, has_dynamic_oracle(system), False, 1)
        check(learner, naive)


@pytest.mark.parametrize("margin", [0, 3])
@pytest.mark.parametrize("update", ["early", "max-violation"])
@pytest.mark.parametrize(("beam", "minibatch"), [(2, 1), (5, 4)])
@pytest.mark.parametrize("system", ["arc-eager", "arc-standard", "swap", "two-registers"])
def test_structured_learning(templates, system, beam, minibatch, update, margin):
    treebank = trees(3, projective=system == "arc-eager")
    options = {"templates": templates, "single_root": beam == 2, "update": update, "margin": margin}
    learner, naive = both(system, treebank, beam=beam, minibatch=minibatch, **options)
    for iteration in (1, 2, 3):
        learner.learn(ORDER, iteration, 0)
        order = in_minibatches(ORDER, np.diff(treebank.offsets), minibatch)
        naive.learn_structured(order, beam, update == "max-violation", margin, minibatch)
        check(learner, naive)
    assert (naive.dropped > 0) == (minibatch > 1)


def test_sums_of_a_head_are_made_anew_after_an_update(tmp_path):
    """Templates of the head alone are summed up once for all its dependents, as long as no weight changes."""
    path = tmp_path / "templates.txt"
    path.write_text("\n".join(["[moves]", *MOVES, "[labels]", "H.form", "D.upos", ""]))
    learner, naive = both("arc-eager", trees(4), beam=2, minibatch=1, templates=str(path), margin=0)
    for iteration in (1, 2):
        learner.learn(ORDER, iteration, 0)
        naive.learn_structured(ORDER, 2, True, 0, 1)
        check(learner, naive)


def test_sentences_of_a_minibatch_are_of_one_size():
    sizes = np.array([5, 1, 9, 2, 5, 8, 1, 6, 9, 3])
    assert in_minibatches(ORDER, sizes, 1).tolist() == ORDER.tolist()
    assert in_minibatches(ORDER[::-1], sizes, 4).tolist() == [9, 6, 3, 1, 7, 5, 4, 0, 8, 2]
    assert in_minibatches(ORDER[:0], sizes, 4).tolist() == []
    assert [minibatch_for(trees) for trees in (0, 9_999, 10_000, 10**6)] == [1, 1, 4, 4]


@pytest.mark.parametrize("threads", [2, 3, 20])
def test_threads_change_nothing(templates, threads):
    options = TrainingOptions(system="arc-eager", beam=4, templates=templates, minibatch=8, margin=0)
    contents = []
    for used in (1, threads):
        recipe = PlainRecipe(trees(3, 40), resolve("arc-eager"), options, Account(), used)
        learner = recipe.learner(options)
        for iteration in (1, 2):
            learner.learn(np.arange(40), iteration, 0)
        contents.append([content(table) for table in learner.tables.values()])
    assert all(contents[0])
    assert contents[0] == contents[1]


@pytest.mark.parametrize("margin", [0, 3])
@pytest.mark.parametrize("explore", [False, True])
@pytest.mark.parametrize("system", ["arc-eager", "covington", "swap"])
def test_greedy_learning_of_labels_with_moves(templates, system, explore, margin):
    treebank = trees(1, projective=system == "arc-eager")
    options = {"templates": templates, "single_root": False, "explore": float(explore), "margin": margin}
    learner, naive = both(system, treebank, beam=1, labels="moves", **options)
    for iteration in (1, 2, 3):
        learner.learn(ORDER, iteration, 0)
        naive.learn_greedy(ORDER, has_dynamic_oracle(system), explore and iteration > 1, margin)
        assert learner.trainer.n_steps == naive.steps
        check(learner, naive)


@pytest.mark.parametrize("margin", [0, 3])
@pytest.mark.parametrize("update", ["early", "max-violation"])
@pytest.mark.parametrize("system", ["arc-eager", "swap"])
@pytest.mark.parametrize(("beam", "minibatch"), [(2, 1), (5, 4)])
def test_structured_learning_of_labels_with_moves(templates, system, update, margin, beam, minibatch):
    treebank = trees(3, projective=system == "arc-eager")
    options = {"templates": templates, "single_root": beam == 2, "update": update, "margin": margin}
    learner, naive = both(system, treebank, beam=beam, minibatch=minibatch, labels="moves", **options)
    for iteration in (1, 2, 3):
        learner.learn(ORDER, iteration, 0)
        order = in_minibatches(ORDER, np.diff(treebank.offsets), minibatch)
        naive.learn_structured(order, beam, update == "max-violation", margin, minibatch)
        check(learner, naive)


def rows(table):
    """What each feature has learnt, in any order, for features that have other names."""
    found = {}
    for (feature, k), row in table.items():
        found.setdefault(feature, []).append((k, *row))
    return sorted(sorted(row) for row in found.values())


@pytest.mark.parametrize("margin", [0, 3])
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(("sentences", "iterations"), [(12, 3), (3, 12)])  # the second are learnt by heart
def test_learning_of_easy_first(templates, single_root, margin, sentences, iterations):
    options = TrainingOptions(system="easy-first", beam=1, templates=templates, single_root=single_root, margin=margin)
    recipe = EasyFirstRecipe(trees(4, sentences), resolve("easy-first"), options, Account())
    learner, naive = recipe.learner(options), NaiveEasyFirst(recipe, MOVES, ARCS)
    order = np.arange(len(recipe.trees.treebank))
    for iteration in range(1, iterations + 1):
        learner.learn(order, iteration, 0)
        naive.learn(order, margin)
        trainer = learner.trainer
        assert (trainer.clock, trainer.n_updates, trainer.n_steps) == (naive.clock, naive.updates, naive.steps)
        for name, table in naive.tables.items():
            assert rows(content(learner.tables[name])) == rows(table.content()), name
        assert parsed(recipe, learner) == [naive.parse(i) for i in order], "search differs"


def parsed(recipe, learner):
    """Heads and labels by sentence, as easy-first search finds them with the weights of now."""
    offsets = np.asarray(recipe.trees.offsets, np.int64)
    out = Outcome(offsets)
    EasyFirstEngine(learner._engine).parse(recipe.values, out, 0, len(offsets) - 1, 1)
    names = recipe.kind.description.labels
    arcs = [(head, names[label]) for head, label in zip(out.heads.tolist(), out.labels.tolist(), strict=True)]
    return [arcs[begin:end] for begin, end in pairwise(offsets.tolist())]
