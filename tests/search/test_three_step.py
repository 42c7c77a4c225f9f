"""The passes of the three-step system: against the textbook, on random weights, and always trees."""

from random import Random

import numpy as np
import pytest

import fastparse
from fastparse.features.attributes import Values, word_values
from fastparse.features.plan import Plan
from fastparse.features.templates import AttributeLayout, _seed, plan_of
from fastparse.search.engine import Engine, Outcome
from fastparse.search.three_step import PassEngine, ThreeStepEngine
from fastparse.transition_systems.registry import resolve
from fastparse.weights.learning import LearningTable
from tests.reference.three_step_search import improve
from tests.search.models import is_tree

LABELS = ("a", "b", "c")
# Each reads one thing of the configuration that the textbook can say too.
PUT = ("D.form", "H.form", "S0.form", "S1.form", "B1.form", "R1.form")
DIST = ("D.form", "H.form", "S0.form", "S1.form")


def random_tree(random, n, single):
    """Heads of a random tree over so many words."""
    words = list(range(1, n + 1))
    random.shuffle(words)
    heads = [0] * n
    for number, word in enumerate(words[1:], start=1):
        heads[word - 1] = random.choice(words[:number] if single or random.random() < 0.8 else [0])
    return heads


class Sides:
    """Random weights of both passes for words that all differ: a weight per template and word, shared by the textbook;
    of labels, a weight per template, word and label."""

    def __init__(self, random, n):
        self.layout = AttributeLayout()
        self.plans = [plan_of(lines, self.layout, False) for lines in (PUT, DIST)]
        self.none = plan_of((), self.layout, False)
        forms = [f"w{i}" for i in range(1, n + 1)]
        self.treebank = fastparse.Treebank.from_columns(forms, offsets=[0, n])
        self.values = Values(self.treebank, self.layout.attributes, self.layout.counted, False)
        # 1 stands for no word and 2 for the root, as in fastparse.features.attributes.
        self.rows = [1, 2, *word_values("form", self.treebank).tolist()]
        self.weights, self.tables = {}, {}
        for side in ("left", "right"):
            for name, templates in (("put", PUT), ("dist", DIST)):
                table = self.tables[side, name] = LearningTable(1)
                for line in templates:
                    for word in range(-1, n + 1):
                        weight = self.weights[side, name, line, word] = random.randint(-6, 6)
                        table.learn([key_of(line, self.rows[word + 1])], 0, weight, 1)
            table = self.tables[side, "label"] = LearningTable(len(LABELS))
            for line in PUT:
                for word in range(-1, n + 1):
                    for place, label in enumerate(LABELS):
                        weight = self.weights[side, label, line, word] = random.randint(-2, 2)
                        table.learn([key_of(line, self.rows[word + 1])], place, weight, 1)

    def score(self, side, name, seen):
        return sum(self.weights[side, name, line, word] for line, word in seen.items() if word is not None)


def key_of(line, value):
    """The key of a template of one atom, as fastparse.features.plan makes it."""
    most = (1 << 64) - 1
    key = (_seed(line) + value * 0x9E3779B97F4A7C15) & most
    key ^= key >> 32
    key = key * 0xBF58476D1CE4E5B9 & most
    return key ^ key >> 29


def engine_of(sides, single, labelled=False, mirrored=False):
    n_moves = len(resolve("arc-eager").moves)
    first = Engine(
        resolve("arc-eager"), sides.none, sides.none, sides.none, sides.none, LearningTable(n_moves),
        LearningTable(len(LABELS)), np.ones(len(LABELS), np.uint8), np.ones(len(LABELS), np.uint8), single,
    )  # fmt: skip
    names = ("put", "dist", "label") if labelled else ("put", "dist")
    passes = [PassEngine(side, *sides.plans, *(sides.tables[side, name] for name in names))
              for side in ("left", "right")]  # fmt: skip
    return ThreeStepEngine(first, *passes, mirrored)


def outcome_of(tree, n_moves=0):
    """A tree of one sentence, as the first step leaves it."""
    out = Outcome([0, len(tree)], n_moves=n_moves)
    out.heads[:] = tree
    return out


def textbook_scores(sides, side, n, labels=None):
    """What speaks for PUT and DIST, and where labels are given, what chooses the label of PUT."""
    step = 1 if side == "left" else -1

    def head_of(tree, word):
        return tree[word - 1] if word > 0 else -1

    def seen_at(tree, theta, focus):
        waiting = [word for _, word in reversed(theta)] + [-1, -1]
        ahead = focus + step if 1 <= focus + step <= n else -1
        head = head_of(tree, focus)
        above = head_of(tree, head)
        seen = {"D.form": focus, "H.form": head, "S0.form": waiting[0], "S1.form": waiting[1], "B1.form": ahead}
        # A template that reads an empty R1 says nothing.
        return seen | {"R1.form": None if above < 0 else above}

    def put(tree, theta, focus):
        return sides.score(side, "put", seen_at(tree, theta, focus))

    def dist(tree, theta, focus, word):
        seen = {"D.form": word, "H.form": focus, "S0.form": head_of(tree, word), "S1.form": head_of(tree, focus)}
        return sides.score(side, "dist", seen)

    def choose(tree, theta, focus):
        found = {label: sides.score(side, label, seen_at(tree, theta, focus)) for label in LABELS}
        best = max(found.values())
        return labels[focus - 1] if found[labels[focus - 1]] == best else max(LABELS, key=found.get)

    return (put, dist) if labels is None else (put, dist, choose)


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_passes_are_those_of_the_textbook(seed, labelled):
    random = Random(seed)
    n, single = random.randint(1, 14), seed % 2 == 0
    sides = Sides(random, n)
    tree, labels = random_tree(random, n, single), [random.choice(LABELS) for _ in range(n)]
    out = outcome_of(tree, n_moves=10)
    out.labels[:] = [LABELS.index(label) for label in labels]
    engine_of(sides, single, labelled).improve(sides.values, out, 0, 1)
    expected, made = tree, []
    for side in ("left", "right"):
        put, dist, choose = textbook_scores(sides, side, n, labels)
        expected, labels, moves = improve(
            expected, labels, put, dist, side == "left", choose if labelled else None, LABELS if labelled else ()
        )
        kinds = [move.partition("(")[0] for move in moves]
        made += [kinds.count(kind) for kind in ("SHIFT", "PUT", "DIST")]
    assert out.heads.tolist() == expected
    assert [LABELS[i] for i in out.labels.tolist()] == labels
    assert out.by_move[0].tolist() == [0, 0, 0, 0, *made]
    assert out.transitions[0] == sum(made)
    assert is_tree(out.heads.tolist())
    assert not single or out.heads.tolist().count(0) == 1


def test_random_weights_give_new_trees_often_enough_to_tell():
    changed = 0
    for seed in range(60):
        random = Random(seed)
        sides = Sides(random, 10)
        tree = random_tree(random, 10, True)
        out = outcome_of(tree)
        engine_of(sides, True).improve(sides.values, out, 0, 1)
        heads = out.heads
        assert is_tree(heads.tolist())
        assert heads.tolist().count(0) == 1
        changed += heads.tolist() != tree
    assert changed > 20


def test_a_plan_without_templates_changes_nothing():
    empty = Plan([])
    sides = Sides(Random(1), 3)
    sides.plans = [empty, empty]
    out = outcome_of([2, 0, 2])
    engine_of(sides, True).improve(sides.values, out, 0, 1)
    assert out.heads.tolist() == [2, 0, 2]


def test_all_steps_are_the_first_one_and_the_passes():
    """Sentence by sentence the same as one step after the other, with the moves and the empty sentences of both."""
    sides = Sides(Random(3), 6)
    engine = engine_of(sides, True)
    offsets = np.array([0, 4, 4, 6], np.int64)
    values = Values(
        fastparse.Treebank.from_columns([f"w{i}" for i in range(1, 7)], offsets=offsets), sides.layout.attributes,
        sides.layout.counted, False,
    )  # fmt: skip

    def outcome(n_moves, timed=False):
        out = Outcome(offsets, timed=timed, n_moves=n_moves)
        for array in (out.heads, out.labels, out.transitions):
            array[:] = -7
        return out

    whole, first, second = outcome(10, timed=True), outcome(4), outcome(10)
    engine.parse(values, whole, 0, 3, 2)
    engine.engine.parse(values, first, 0, 3, 2)
    second.heads[:], second.labels[:], second.by_move[:, :4] = first.heads, first.labels, first.by_move
    engine.improve(values, second, 0, 3)
    assert whole.heads.tolist() == second.heads.tolist()
    assert whole.labels.tolist() == second.labels.tolist()
    assert whole.transitions.tolist() == (first.transitions + second.transitions).tolist()
    assert whole.transitions[1] == 0
    assert whole.by_move.tolist() == second.by_move.tolist()
    assert whole.by_move[0, :4].any()
    assert whole.by_move[0, 4:7].any()
    assert whole.by_move[0, 7:].any()
    assert (whole.nanoseconds > 0).tolist() == [True, False, True]


def test_tables_of_several_classes_are_refused():
    none = plan_of((), AttributeLayout(), False)
    with pytest.raises(ValueError, match="tables of 1 and 5 classes"):
        PassEngine("left", none, none, LearningTable(1), LearningTable(5))
