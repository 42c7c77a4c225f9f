"""Networks that learn from others, and sentences in which words have changed places with others."""

from dataclasses import replace

import numpy as np
import pytest

from fastparse.encoder.inputs import ROOT
from fastparse.learning.networks.gradients import Exchange, Teachers
from fastparse.learning.networks.network import rows_of
from tests.networks.small import NO_DROPOUT, SHAPE, course
from tests.toy import toy

LARGER = replace(SHAPE, width=32, hidden=32, pieces=3)


def taught(teachers, share, rounds=40):
    """A network that finds another head and another class for every word in its treebank."""
    learning = course(teachers=teachers, taught=share, rounds=rounds, dev=False)
    examples = learning.examples
    sizes = np.diff(examples.offsets)
    examples.heads[:] = np.arange(examples.offsets[-1]) - np.repeat(examples.offsets[:-1], sizes)  # the word before
    examples.label_ids[:] = 0
    for name, classes in examples.classes.items():
        examples.classes[name] = (classes + 1) % learning.network.shape.outputs[name]
    learning.run()
    return learning.network


def right(network, other):
    """How often they agree, in heads, labels and outputs."""
    ours, theirs = network.annotate(toy()), other.annotate(toy())
    outputs = [(ours[2][name] == theirs[2][name]).mean() for name in ours[2]]
    return ((ours[0] == theirs[0]).mean(), (ours[1] == theirs[1]).mean(), *outputs)


@pytest.fixture(scope="module")
def teacher():
    learning = course(shape=LARGER, rounds=25, dev=False)
    learning.run()
    return learning.network


def test_who_heeds_teachers_alone_says_what_they_say(teacher):
    """Whatever the treebank says: moves and outputs; labels, too, but those of arcs that the treebank has."""
    heads, labels, *outputs = right(taught([teacher], 1.0), teacher)
    assert min(heads, *outputs) > 0.95
    assert labels > 0.6
    assert max(right(taught([teacher], 0.0), teacher)) < 0.5


def test_teachers_say_the_mean_of_their_probabilities(teacher):
    other = course(rounds=5, dev=False, seed=3).network
    learner = course(dev=False).learners[0]
    part, said = learner_part(learner), []
    for networks in ([teacher], [other], [teacher, other]):
        teachers = Teachers(networks, learner.network.inputs)
        teachers.read(learner.examples.rows[part.rows], part)
        heads = np.maximum(np.arange(len(part.rows), dtype=np.int32) - 1, 0)
        said.append([teachers.classes("upos"), teachers.labels(heads)])
    for first, second, mean in zip(*said, strict=True):
        assert mean.sum(1) == pytest.approx(1, abs=1e-5)
        assert mean == pytest.approx((first + second) / 2, abs=1e-6)
        assert abs(first - second).max() > 0.1


def test_teachers_of_other_inputs_are_refused(teacher):
    with pytest.raises(AssertionError, match="other inputs"):
        Teachers([teacher], course(dev=False, sentences=5).network.inputs)


def test_words_are_exchanged_for_words_with_the_same_tags():
    examples, where = course(dev=False).examples, course(dev=False).network.inputs.columns()
    first = where["tag"][0]
    rows = np.arange(len(examples.rows))
    words = examples.rows[:, 0] != ROOT
    forms_of = {kind: set() for kind in examples.kinds.tolist()}
    for kind, row in zip(examples.kinds.tolist(), examples.rows[words, :first].tolist(), strict=True):
        forms_of[kind].add(tuple(row))
    exchange, source, met = Exchange(examples.rows, examples.kinds, first), np.random.default_rng(1), {}
    for _ in range(200):
        ids = examples.rows.copy()
        exchange.apply(ids, rows, 0.5, source)
        assert (ids[:, first:] == examples.rows[:, first:]).all()
        assert (ids[~words] == examples.rows[~words]).all()
        for kind, row in zip(examples.kinds.tolist(), ids[words, :first].tolist(), strict=True):
            assert tuple(row) in forms_of[kind]
            met.setdefault(kind, set()).add(tuple(row))
    assert met == forms_of
    exchange.apply(ids := examples.rows.copy(), rows, 0.0, source)
    assert (ids == examples.rows).all()


def learner_part(learner):
    """The first sentences as a batch."""
    return rows_of(learner.examples.offsets, np.arange(6))


def test_without_tags_nobody_knows_which_words_are_alike(monkeypatch):
    nothing = np.full(toy().n_words, -1)
    bare = toy().with_columns(**{column: (nothing, []) for column in ("upos", "xpos", "feats")})
    monkeypatch.setattr("tests.networks.small.toy", lambda: bare)
    learning = course(dropout=replace(NO_DROPOUT, exchange=0.5), outputs=(), dev=False)
    assert learning.examples.kinds is None
    assert learning.learners[0].exchange is None
