"""Gradients against differences of the loss, array by array, along the gradient itself."""

from dataclasses import replace

import numpy as np
import pytest

from fastparse.learning.networks import layers
from fastparse.learning.networks.plans import Dropout
from fastparse.learning.networks.shapes import arrays_in
from tests.networks.small import NO_DROPOUT, course

DROPOUTS = {"none": NO_DROPOUT, "some": Dropout(0.2, 0.2, 0.2, 0.2, 0.5, 0.25, 0.25)}


def total(learner, sentences, seed):
    """The loss that the gradient belongs to."""
    outcome = learner.learn(sentences, 100, 0, seed)
    weights = dict.fromkeys(learner.network.shape.outputs, learner.output_weight)
    weights |= {"heads": learner.heads_weight, "beams": learner.plan.beam_weight}
    return sum(loss * weights.get(name, 1.0) for name, loss in outcome.loss.items()) / 100


@pytest.mark.parametrize("dropout", DROPOUTS)
@pytest.mark.parametrize("system", ["hybrid", "two-registers", "swap", "2-planar"])
def test_every_array_has_the_gradient_of_the_loss(system, dropout):
    check_gradient(course(system, dropout=DROPOUTS[dropout], dev=False))


def test_what_teachers_say_is_a_part_of_the_loss():
    teachers = [course(dev=False, seed=seed).network for seed in (2, 3)]
    with_some = replace(DROPOUTS["some"], exchange=0.3)
    check_gradient(course(dropout=with_some, dev=False, teachers=teachers, taught=0.6))


@pytest.mark.parametrize(("system", "seed"), [("hybrid", 1), ("two-registers", 2), ("swap", 1), ("arc-eager", 1)])
def test_the_mistakes_of_beams_are_a_part_of_the_loss(system, seed):
    """Seeds: of numbers near which no other trees come into the beams."""
    learning = course(system, dev=False, seed=seed, beam=5, beam_from=0, beam_weight=20.0)
    assert learning.learners[0].learn(np.arange(8), 100, 0, 7).loss["beams"] > 1
    check_gradient(learning)


def check_gradient(learning):
    """Steps are small, for the largest piece of a maxout and the path through the states must stay what they are."""
    learner = learning.learners[0]
    numbers, sentences = learner.network.numbers, np.arange(8)
    total(learner, sentences, 7)
    gradient = learner.gradient.copy()
    for name, along in arrays_in(learner.network.shape, gradient).items():
        slope = float(np.linalg.norm(along))
        if slope < 1e-5:
            assert name.endswith("labels") or not slope, name
            continue
        direction = np.zeros_like(gradient)
        arrays_in(learner.network.shape, direction)[name][...] = along / slope
        kept, step = numbers.copy(), 1e-3
        losses = []
        for sign in (1, -1):
            numbers[:] = kept + np.float32(sign * step) * direction
            losses.append(total(learner, sentences, 7))
        numbers[:] = kept
        assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(slope, rel=0.03, abs=2e-4), name


def test_what_stands_for_nothing_has_no_gradient():
    learner = course(dev=False).learners[0]
    learner.learn(np.arange(5), 50, 0, 1)
    for group in learner.network.shape.rows:
        assert not learner.gradients[group][0].any()


def test_softmax_leaves_rows_without_a_class_alone():
    scores, gold = np.random.default_rng(1).standard_normal((3, 4)).astype(np.float32), np.array([2, -1, 0], np.int32)
    d_scores, best = np.ones_like(scores), np.zeros(3, np.int32)
    loss, right = layers.softmax_loss(scores, np.zeros(4, np.float32), gold, 1.0, d_scores, np.zeros(4, "f"), best)
    expected = [np.log(np.exp(row).sum()) - row[k] for row, k in zip(scores[[0, 2]], (2, 0), strict=True)]
    assert loss == pytest.approx(sum(expected), rel=1e-5)
    assert not d_scores[1].any()
    assert best[1] == -1
    assert right == sum(int(row.argmax() == k) for row, k in zip(scores[[0, 2]], (2, 0), strict=True))
