"""Trainings with teachers: learnt first, gone on from where they were interrupted, told apart by their seeds."""

import numpy as np
import pytest

import fastparse
from fastparse.errors import Error
from fastparse.learning.components import learnt_components
from fastparse.learning.networks import plans as presets
from fastparse.learning.networks.plans import plan_for, tagger_plan
from fastparse.learning.options import TrainingOptions
from fastparse.learning.progress import Begun, IterationDone
from fastparse.learning.steps import Training
from fastparse.learning.taggers import learn_tagger
from tests.toy import toy
from tests.training.test_encoder_recipe import TINY

OPTIONS = {"encoder": "tiny", "iterations": 2, "components": ("parser",), "teachers": 2, "learnt_beam": 4}


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(presets.SIZES, "tiny", TINY)
    monkeypatch.setattr("fastparse.learning.encoder.TEACHER", "tiny")


def train(**more):
    return fastparse.train(toy(), "hybrid", **{**OPTIONS, **more})


def test_a_parser_with_teachers_is_another_one_on_any_number_of_threads():
    with_teachers, on_two_threads, alone = train(), train(threads=2), train(teachers=0)
    assert with_teachers.info["training"]["teachers"] == 2
    assert "teachers" not in alone.info["training"]
    assert with_teachers.sha256 == on_two_threads.sha256 != alone.sha256


def test_teachers_differ_from_each_other_and_from_what_learns(monkeypatch):
    made = []
    recipe = fastparse.learning.encoder.EncoderRecipe

    class Watched(recipe):
        def learner(self, options):
            plan, n = self.plan, len(self.teachers)
            made.append((options.seed, self.network.numbers.copy(), n, plan.dropout.exchange, plan.beam))
            return super().learner(options)

    monkeypatch.setattr("fastparse.learning.encoder.EncoderRecipe", Watched)
    train(seed=7)
    assert [seed for seed, *_ in made] == [1007, 2007, 7]
    assert [teachers for *_, teachers, _, _ in made] == [0, 0, 2]
    assert [exchange > 0 for *_, exchange, _ in made] == [False, False, True]
    assert [beam > 0 for *_, beam in made] == [False, False, True]
    assert all((made[k][1] != made[j][1]).any() for k, j in ((0, 1), (0, 2), (1, 2)))


def test_words_are_exchanged_where_there_are_teachers_alone():
    for plan in (plan_for, tagger_plan):
        assert plan(100_000, taught=True).dropout.exchange > 0 == plan(100_000).dropout.exchange
    own = plan_for(100_000, own=True, taught=True).dropout
    assert own.exchange > 0 < own.given


def test_small_networks_learn_longer_from_teachers():
    for n_words in (1000, 200_000, 5_000_000):
        rounds = plan_for(n_words).rounds
        assert plan_for(n_words, taught=True).rounds == plan_for(n_words, "small").rounds == rounds
        assert plan_for(n_words, "small", taught=True).rounds == rounds * 3 // 2


def test_teachers_learn_as_long_as_they_would_alone(monkeypatch):
    seen = []
    monkeypatch.setattr(presets, "_MOST_ROUNDS", 4)
    fastparse.train(
        toy(), "hybrid", encoder="tiny", components=("parser",), teachers=1, progress=seen.append, beam=1
    )  # fmt: skip
    learnt = [event.iterations for event in seen if isinstance(event, IterationDone)]
    assert learnt == [*[4] * 4, *[6] * 6]


@pytest.mark.parametrize(("size", "teachers"), [("default", 3), ("small", 0)])
def test_taggers_of_the_size_of_teachers_have_some(monkeypatch, size, teachers):
    seen = []

    def learn(*arguments, teachers, **more):
        seen.append(teachers)
        return learn_tagger(toy(), "small")

    monkeypatch.setattr("fastparse.learning.components.learn_tagger", learn)
    options = TrainingOptions(encoder=size, teachers=3)
    found = learnt_components(("tagger",), toy(), None, options, Training())
    assert seen == [teachers]
    assert found.get("tagger").record.get("teachers", 0) == teachers


def interrupted_in(teacher, iteration):
    """Reports that are like Ctrl-C after an iteration of a teacher."""
    at = 0

    def report(event):
        nonlocal at
        at += isinstance(event, Begun) and event.place.part.startswith("teacher ")
        if isinstance(event, IterationDone) and (at, event.iteration) == (teacher, iteration):
            raise KeyboardInterrupt

    return report


@pytest.mark.parametrize(("teacher", "iteration", "left"), [(1, 2, 5), (2, 1, 4), (2, 2, 3)])
def test_a_training_goes_on_with_the_teacher_that_was_interrupted(tmp_path, teacher, iteration, left):
    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        train(checkpoint=path, progress=interrupted_in(teacher, iteration))
    seen = []
    again = train(checkpoint=path, progress=seen.append)
    assert again.sha256 == train().sha256
    assert sum(isinstance(event, IterationDone) for event in seen) == left
    assert [name.name for name in tmp_path.iterdir()] == ["c"]


def test_the_checkpoint_of_a_teacher_is_no_other_ones(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        train(checkpoint=tmp_path / "c", seed=1, progress=interrupted_in(1, 2))
    with pytest.raises(Error, match=r"c: this is the checkpoint of another training.*seed"):
        train(checkpoint=tmp_path / "c", seed=2)


def test_a_tagger_has_teachers_of_its_own():
    seen = []
    few = toy()[:15]
    taught = learn_tagger(few, "small", teachers=2, training=Training(seen.append))
    names = [event.place.name for event in seen if isinstance(event, Begun)]
    assert names == ["tagger, teacher 1 of 2", "tagger, teacher 2 of 2", "tagger"]
    alone = learn_tagger(few, "small")
    assert any((taught.arrays()[name] != array).any() for name, array in alone.arrays().items())
    assert np.mean(taught.tag(few)["upos"][0] >= 0) == 1


def test_teachers_are_of_encoders():
    with pytest.raises(Error, match="teachers=1 are of encoders"):
        fastparse.train(toy(), "hybrid", teachers=1, encoder=None)
    for refused in (-1, 1.0, True):
        with pytest.raises(Error, match=r"^teachers=.*expected a number from 0"):
            TrainingOptions(encoder="small", beam=4, teachers=refused)
