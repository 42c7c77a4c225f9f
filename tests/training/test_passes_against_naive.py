"""The passes of three-step search learn what a plain perceptron beside the textbook's passes learns."""

from collections import Counter

import numpy as np
import pytest

from fastparse.features.attributes import Values
from fastparse.features.templates import AttributeLayout, plan_of
from fastparse.learning.anchors import anchored
from fastparse.learning.trainers import PassTrainer
from fastparse.search.three_step import PassEngine
from fastparse.weights.learning import LearningTable
from tests.reference.three_step_search import improve
from tests.search.test_three_step import DIST, PUT, textbook_scores
from tests.training.test_against_naive import content, rows, trees


class NaivePass:
    """Learns whenever the textbook asks what speaks for a decision, and answers with the decision to follow."""

    def __init__(self, side, margin, names):
        self.side, self.margin, self.names = side, margin, names
        self.weights, self.drift = Counter(), Counter()
        self.clock, self.updates, self.explored, self.mistaken = 1, 0, 0, 0

    def learn(self, sentence, explore):
        self.sentence, self.explore = sentence, explore
        self.clock += 1
        starts, labels = sentence["starts"], sentence["labels"]
        put, dist, _ = textbook_scores(self, self.side, len(starts), labels)
        choose = self.choose if self.names else None
        improve(starts, labels, put, dist, self.side == "left", choose, self.names)

    def choose(self, tree, theta, focus):
        """The label to follow; it is learnt where the word is put rightly."""
        forms, right = self.sentence["forms"], self.sentence["under"][focus - 1]
        seen = {line: at for line, at in self.seen.items() if at is not None}
        features = [("label", line, forms[at - 1] if at > 0 else at) for line, at in seen.items()]
        sums = {label: sum(self.weights[feature, label] for feature in features) for label in self.names}
        best, own = max(sums.values()), self.sentence["labels"][focus - 1]
        found = own if sums[own] == best else max(self.names, key=sums.get)
        if self.sentence["wanted"][focus - 1] < 0:
            return found
        rivals = [label for label in self.names if label != right]
        other = found if found != right else max(rivals, key=sums.get)
        if sums[other] + self.margin >= sums[right]:
            self.updates += 1
            for label, step in ((right, 1), (other, -1)):
                for feature in features:
                    self.weights[feature, label] += step
                    self.drift[feature, label] += step * self.clock
        self.mistaken += found != right
        return found if self.explore else right

    def score(self, side, name, seen):
        forms, word = self.sentence["forms"], seen["D.form"]
        self.seen = seen
        if name == "put":
            right = self.sentence["wanted"][word - 1] >= 0
        else:
            right = self.sentence["heads"][word - 1] == seen["H.form"]
        features = [(name, line, forms[at - 1] if at > 0 else at) for line, at in seen.items() if at is not None]
        found = sum(self.weights[feature] for feature in features)
        if found <= self.margin if right else found > -self.margin:
            self.updates += 1
            for feature in features:
                self.weights[feature] += 1 if right else -1
                self.drift[feature] += self.clock if right else -self.clock
        if (found > 0) != right and self.explore:
            self.explored += 1
            return found
        return 1 if right else 0

    def content(self, name):
        if name == "label":
            places = {label: place for place, label in enumerate(self.names)}
            found = {(at[0], places[at[1]]): at for at in self.weights if at[0][0] == name}
        else:
            found = {(at, 0): at for at in self.weights if at[0] == name}
        both = {key: (self.weights[at], self.drift[at]) for key, at in found.items()}
        return {at: row for at, row in both.items() if any(row)}


@pytest.mark.parametrize("margin", [0, 2])
@pytest.mark.parametrize("explore", [False, True])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("labelled", [False, True])
def test_learning_of_passes(labelled, side, explore, margin):
    bank = trees(5, 14, projective=False)
    offsets, gold = bank.offsets.astype(np.int64), np.asarray(bank.heads)
    starts = anchored(bank)
    word = np.concatenate([np.arange(1, size + 1) for size in np.diff(offsets)])
    moved = gold != starts
    leftward = np.where(moved & (gold > word), gold, -1)
    wanted = leftward if side == "left" else np.where(moved & (gold < word), gold, -1)
    if side == "right":
        starts = np.where(leftward > 0, gold, starts)
    assert (wanted > 0).sum() > 3
    names = sorted(set(bank.deprels))
    ids = np.array([names.index(label) for label in bank.deprels], np.int32)
    layout = AttributeLayout()
    plans = [plan_of(lines, layout, False) for lines in (PUT, DIST)]
    # The labels that words wait under are not always those of their anchors.
    under = np.where(np.arange(len(ids)) % 3 == 0, (ids + 1) % len(names), ids)
    tables = {"put": LearningTable(1), "dist": LearningTable(1)}
    if labelled:
        tables["label"] = LearningTable(len(names))
    values = Values(bank, layout.attributes, layout.counted, False)
    trainer = PassTrainer(PassEngine(side, *plans, *tables.values()), values, offsets, len(names))
    naive = NaivePass(side, margin, names if labelled else ())
    arrays = [np.ascontiguousarray(column, np.int32) for column in (starts, ids, gold, wanted, under)]
    for iteration in range(4):
        trainer.learn(np.arange(len(bank)), *arrays, float(explore), iteration, margin)
        for i, sentence in enumerate(bank):
            part = slice(offsets[i], offsets[i + 1])
            columns = {"starts": starts, "heads": gold, "wanted": wanted}
            found = {name: column[part].tolist() for name, column in columns.items()}
            found["under"] = [names[i] for i in under[part].tolist()]
            naive.learn(found | {"forms": list(sentence.forms), "labels": list(sentence.deprels)}, explore)
        assert (trainer.clock, trainer.n_updates) == (naive.clock, naive.updates)
        for name, table in tables.items():
            assert rows(content(table)) == rows(naive.content(name)), name
    assert explore == (naive.explored > 0)
    assert labelled == bool(naive.content("label"))
    if margin == 0:
        assert labelled == (naive.mistaken > 0)
