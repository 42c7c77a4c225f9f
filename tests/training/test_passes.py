"""What passes are learnt from, and what a model records of them."""

import numpy as np

import fastparse
from fastparse.learning import three_step as passes
from fastparse.learning.anchors import anchored
from tests.training.test_learning import crossing


def test_each_iteration_of_a_pass_counts_its_own_updates(monkeypatch):
    counts = []

    class Counting(passes.PassTrainer):
        def learn(self, *args):
            before = self.n_updates
            super().learn(*args)
            counts.append(self.n_updates - before)

    monkeypatch.setattr(passes, "PassTrainer", Counting)
    rows = fastparse.train(crossing(), "three-step", beam=1, iterations=3).info["passes"]
    assert [row["updates"] for side in ("left", "right") for row in rows[side]] == counts
    assert len(counts) == 6
    assert min(counts) > 0


def test_anchors_are_counted():
    bank = crossing()
    heads = anchored(bank)
    parser = fastparse.train(bank, "three-step", beam=1, iterations=1)
    moved = int((heads != bank.heads).sum())
    assert 0 < moved < bank.n_words / 2
    assert parser.info["treebank"]["anchors"] == moved


def test_the_second_pass_begins_where_the_first_one_ends(monkeypatch):
    starts = []

    class Noting(passes.PassTrainer):
        def learn(self, order, heads, *rest):
            starts.append(np.array(heads))
            super().learn(order, heads, *rest)

    monkeypatch.setattr(passes, "PassTrainer", Noting)
    bank = crossing()
    fastparse.train(bank, "three-step", beam=1, iterations=1)
    left, right = starts
    anchors = anchored(bank)
    word = np.concatenate([np.arange(n) + 1 for n in np.diff(bank.offsets)])
    assert (left == anchors).all()
    assert (right == np.where(bank.heads > word, bank.heads, anchors)).all()
    assert (right != left).any()
    assert (right != bank.heads).any()
