"""Learning against the perceptron spelled out: the same weights, the same sums for averages, the same counts."""

from __future__ import annotations

import numpy as np
import pytest

import fastparse
from fastparse.oracles.dynamic_oracle import has_dynamic_oracle
from fastparse.training.options import TrainingOptions
from fastparse.training.preparation import Account
from fastparse.training.recipes.easy_first import EasyFirstRecipe
from fastparse.training.recipes.plain import PlainRecipe
from fastparse.training.trainer import Trainer
from fastparse.transition_systems.registry import resolve
from tests.training.naive import NaiveLearner
from tests.training.naive_easy_first import NaiveEasyFirst

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


def both(templates, system, treebank, beam, single_root):
    """The learner and the naive one."""
    options = TrainingOptions(system=system, beam=beam, templates=templates, single_root=single_root)
    recipe = PlainRecipe(treebank, resolve(system), options, Account())
    learner = recipe.learner(options)
    assert isinstance(learner.trainer, Trainer)
    return learner, NaiveLearner(recipe), recipe.trees


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
    learner, naive, found = both(templates, system, trees(1, projective=system != "covington"), 1, False)
    for iteration in range(3):
        learner.trainer.learn_greedy(ORDER, found.heads, found.label_ids, float(explore), iteration, margin)
        naive.learn_greedy(ORDER, has_dynamic_oracle(system), explore, margin)
        check(learner, naive)
        assert learner.trainer.n_steps == naive.steps
    assert explore == (naive.explored > 0)


@pytest.mark.parametrize("system", ["arc-eager", "arc-standard"])
def test_greedy_learning_of_single_roots(templates, system):
    learner, naive, found = both(templates, system, trees(2), 1, True)
    for iteration in range(3):
        learner.trainer.learn_greedy(ORDER, found.heads, found.label_ids, 0.0, iteration, 1)
        naive.learn_greedy(ORDER, has_dynamic_oracle(system), False, 1)
        check(learner, naive)


@pytest.mark.parametrize("margin", [0, 3])
@pytest.mark.parametrize("max_violation", [False, True])
@pytest.mark.parametrize("beam", [2, 5])
@pytest.mark.parametrize("system", ["arc-eager", "arc-standard", "swap", "two-registers"])
def test_structured_learning(templates, system, beam, max_violation, margin):
    single_root = beam == 2
    learner, naive, found = both(templates, system, trees(3, projective=system == "arc-eager"), beam, single_root)
    for _ in range(3):
        learner.trainer.learn_structured(ORDER, found.heads, max_violation, margin)
        naive.learn_structured(ORDER, beam, max_violation, margin)
        check(learner, naive)


def rows(table):
    """What each feature has learnt, in any order, for features that have other names."""
    found = {}
    for (feature, k), row in table.items():
        found.setdefault(feature, []).append((k, *row))
    return sorted(sorted(row) for row in found.values())


@pytest.mark.parametrize("margin", [0, 3])
@pytest.mark.parametrize("single_root", [False, True])
def test_learning_of_easy_first(templates, single_root, margin):
    options = TrainingOptions(system="easy-first", beam=1, templates=templates, single_root=single_root)
    recipe = EasyFirstRecipe(trees(4, 12), resolve("easy-first"), options, Account())
    learner, naive = recipe.learner(options), NaiveEasyFirst(recipe, MOVES, ARCS)
    for _ in range(3):
        learner.trainer.learn(np.arange(len(recipe.trees.treebank)), recipe.trees.heads, recipe.trees.label_ids, margin)
        naive.learn(range(len(recipe.trees.treebank)), margin)
        trainer = learner.trainer
        assert (trainer.clock, trainer.n_updates, trainer.n_steps) == (naive.clock, naive.updates, naive.steps)
        for name, table in naive.tables.items():
            assert rows(content(learner.tables[name])) == rows(table.content()), name
