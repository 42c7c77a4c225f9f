"""Learning encoders: with a tagger's tags besides, on several threads, and the temperature of their beams."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import fastparse
from fastparse.errors import Error
from fastparse.learning.development import Development
from fastparse.learning.encoder import EncoderRecipe, learnt_beam_of
from fastparse.learning.networks import plans as presets
from fastparse.learning.networks.learner import NetworkLearner
from fastparse.learning.networks.shapes import Shape
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.progress import IterationDone, Passing, Scores
from fastparse.learning.runs import learn
from fastparse.learning.steps import Training
from fastparse.transition_systems.registry import resolve
from tests.toy import toy

TINY = Shape(width=32, pieces=2, distances=(1, 2), form=32, affix=16, tag=16, feature=16, hidden=32, rank=8)


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(presets.SIZES, "tiny", TINY)


def without_tags(bank):
    """The treebank as a tagger sees it who cannot tell words apart."""
    nothing = np.full(bank.n_words, -1)
    return bank.with_columns(upos=(nothing, []), xpos=(nothing, []), feats=(nothing, []))


def recipe(iterations=2, system="hybrid", bank=None, learnt_beam=4, **more):
    options = TrainingOptions(system=system, beam=4, iterations=iterations, encoder="tiny", learnt_beam=learnt_beam)
    return EncoderRecipe(toy() if bank is None else bank, resolve(system), options, Account(), **more)


def test_given_tags_and_own_ones_are_learnt_in_one_parser():
    made = recipe(40, own=without_tags(toy()), threads=2)
    development = Development(toy(), made, 4, 1, without_tags(toy()))
    arrays, record = learn(made, made.options, development, Training())
    decoder, finished = made.finish(arrays, development, Training())
    assert abs(finished["greedy"]["floats"] - finished["greedy"]["bytes"]) < 3
    best = record["iterations"][record["best_iteration"] - 1]
    assert best["las"] + best["own_las"] == max(row["las"] + row["own_las"] for row in record["iterations"])
    given, own = (decoder.decode(bank, 4, own=bank is not toy()).heads for bank in (toy(), without_tags(toy())))
    assert (given == toy().heads).mean() > 0.95
    assert (own == toy().heads).mean() > 0.85


def test_own_tags_are_read_as_such():
    decoder = recipe(own=toy()).decoder(recipe(own=toy()).learner(recipe().options).arrays())
    given, own = (decoder.kind.values(toy(), own).ids for own in (False, True))
    assert (given != own).any()
    some = np.arange(len(toy())) % 2 == 1
    heads = [decoder.decode(toy(), 1, own=own).heads for own in (False, True, some)]
    assert (heads[0] != heads[1]).any()
    words = np.repeat(some, np.diff(toy().offsets))
    assert (heads[2] == np.where(words, heads[1], heads[0])).all()


def test_tags_that_a_tagger_says_are_what_is_learnt_besides():
    said = without_tags(toy())
    given, own = (recipe(own=bank).examples for bank in (toy(), said))
    inputs = recipe(own=said).network.inputs
    assert (own.own_rows == inputs.rows(said, own=True)).all()
    assert (own.own_rows != given.own_rows).any()
    assert (own.own_rows != own.rows).any()


def test_the_rate_of_learning_falls_to_nothing(monkeypatch):
    seen = []
    learn_batch = NetworkLearner.learn_batch

    def watched(learner, batch, number, seed, left):
        seen.append(left)
        return learn_batch(learner, batch, number, seed, left)

    monkeypatch.setattr(NetworkLearner, "learn_batch", watched)
    fastparse.train(toy(), "hybrid", encoder="tiny", iterations=3, components=("parser",))
    assert seen[0] == 1
    assert seen == sorted(set(seen), reverse=True)
    assert 0 < seen[-1] < 0.1


@pytest.fixture
def batches(monkeypatch):
    """What batches would be learnt with, in three rounds of small ones: the round, its number as told, and the seed."""
    seen, made = [], recipe(3)
    learner = made.learner(made.options)
    monkeypatch.setattr(learner, "plan", replace(made.plan, words=50))
    for iteration in (1, 2, 3):
        monkeypatch.setattr(
            learner, "learn_batch", lambda batch, number, seed, left, at=iteration: seen.append((at, number, seed))
        )
        learner.learn(np.arange(len(toy())), iteration, 0)
    return made.plan, seen


def test_no_two_batches_have_one_seed(batches):
    _, seen = batches
    assert len(seen) > 20
    assert len({seed for _, _, seed in seen}) == len(seen)


def test_own_moves_are_followed_from_the_third_round_on_and_beams_from_the_sixth(batches):
    plan, seen = batches
    assert plan.explore > 0
    assert {(at, plan.exploring(number)) for at, number, _ in seen} == {(1, 0.0), (2, 0.0), (3, plan.explore)}
    assert {plan.searching(number) for _, number, _ in seen} == {0}
    assert [plan.searching(number) for number in (5, 6, 50)] == [0, 4, 4]


@pytest.mark.parametrize("size", ["default", "small"])
@pytest.mark.parametrize(("system", "expected"), [("hybrid", 0), ("2-planar", 0), ("swap", 4), ("arc-standard", 4)])
def test_beams_are_learnt_from_where_there_is_no_dynamic_oracle(size, system, expected):
    options = TrainingOptions(system=system, beam=4, encoder=size)
    assert learnt_beam_of(options, system) == expected
    for asked in (0, 2, 32):
        assert learnt_beam_of(replace(options, learnt_beam=asked), system) == asked


def test_beams_to_learn_from_are_an_option_of_encoders():
    assert recipe(learnt_beam=9).plan.searching(50) == 9
    assert "learnt_beam" not in TrainingOptions(encoder="small", beam=4).to_dict()
    assert TrainingOptions(encoder="small", beam=4, learnt_beam=0).to_dict()["learnt_beam"] == 0
    with pytest.raises(Error, match="learnt_beam=2 is of encoders"):
        TrainingOptions(learnt_beam=2, encoder=None)
    for refused in (-1, 1, 33, 2.0, True, "4"):
        with pytest.raises(Error, match=r"^learnt_beam=.*expected 0 or a number from 2 to 32"):
            TrainingOptions(encoder="small", beam=4, learnt_beam=refused)


def test_labels_keep_to_the_root_or_away_from_it():
    bank = toy()
    description = recipe(bank=bank).kind.description
    seen = {False: set(), True: set()}
    for head, label in zip(bank.heads, bank.deprel_ids, strict=True):
        seen[head == 0].add(bank.deprel_table[label])
    root, inner = ({description.labels[i] for i in ids} for ids in (description.root_labels, description.inner_labels))
    assert (root, inner) == (seen[True], seen[False])
    assert root != inner


def test_own_tags_belong_to_the_trees_that_are_learnt():
    crossing = toy().n_words
    made = recipe(system="hybrid", own=without_tags(toy()))
    assert len(made.examples.own_rows) == len(made.examples.rows) == crossing + len(toy())
    with pytest.raises(Error, match="other trees"):
        recipe(own=toy()[:5])


@pytest.mark.parametrize(("best", "expected"), [(2.0, 2.0), (1.0, 1.0), (None, 1.5)])
def test_the_temperature_is_the_one_a_beam_is_best_with(best, expected):
    made = recipe()
    arrays = made.learner(made.options).arrays()
    usual = made.decoder(arrays, 1.0).arrays()["moves.scale"].view(np.float32)

    def final(decoder):
        found = float(decoder.arrays()["moves.scale"].view(np.float32)[0] / usual[0])
        return Scores(90.0, 80.0 + (best is not None and abs(found - best) < 1e-3))

    made = recipe()  # whose network has not learnt, so that there is nothing to say of rounding
    nothing, asked = (np.zeros((2, 0), np.int32), np.zeros((2, 0), bool)), []
    development = SimpleNamespace(
        final=final,
        treebank=toy(),
        logs=lambda decoder: nothing,
        trees=lambda *_: (np.zeros((5, 0), np.int64), np.zeros((5, 0), bool)),
    )
    development.searching = lambda beam: asked.append(beam) or development
    decoder, record = made.finish(arrays, development, Training())
    assert record["temperature"] == expected
    assert asked == [4]
    assert decoder.arrays()["moves.scale"].view(np.float32) == pytest.approx(expected * usual)
    decoder, record = made.finish(arrays, None, Training())
    assert record == {"temperature": 1.5, "learnt_beam": 4}


def test_a_greedy_encoder_is_made_fit_for_the_usual_beam():
    options = {"encoder": "tiny", "iterations": 2, "components": ("parser",)}
    greedy, by_beam = (fastparse.train(toy(), "hybrid", toy(), beam=beam, **options) for beam in (1, 4))
    assert greedy.info["beam"] == 1
    assert greedy.info["temperature"] == by_beam.info["temperature"]
    assert greedy.parse(toy(), beam=4) == by_beam.parse(toy())
    assert greedy.parse(toy()) == by_beam.parse(toy(), beam=1)


def test_threads_change_no_byte():
    models = [
        fastparse.train(toy(), "two-registers", toy(), encoder="tiny", iterations=2, threads=threads, seed=3)
        for threads in (1, 2)
    ]
    assert models[0].sha256 == models[1].sha256


def test_a_beam_of_four_is_the_usual_one():
    assert fastparse.train(toy(), "hybrid", encoder="tiny", iterations=1).beam == 4
    assert fastparse.train(toy(), "hybrid", encoder="tiny", iterations=1, beam=1).beam == 1


def test_reports_speak_of_rounds_and_parameters(monkeypatch):
    monkeypatch.setattr("fastparse.learning.course._SECONDS_BETWEEN_REPORTS", 0)
    events = []
    fastparse.train(toy(), "hybrid", toy(), encoder="tiny", iterations=2, progress=events.append)
    done = [event for event in events if isinstance(event, IterationDone)]
    assert str(done[0]).startswith("parser, round 1 of 2: ")
    assert "parameters" in str(done[0])
    assert " left" in str(done[0])
    assert " left" not in str(done[1])
    passing = next(event for event in events if isinstance(event, Passing) and event.place.step == "parser")
    assert (passing.sentences, passing.of_sentences) == (61, 61)
    assert str(passing).startswith("3 of 3: parser, round 1 of 2, ")


def test_what_rounding_costs_is_said_of_greedy_parsing():
    """Not of the beam that the parser gets: the network in floats has none."""
    dev = toy()[:30]
    parser = fastparse.train(toy(), "two-registers", dev, encoder="tiny", iterations=2, components=("parser",))
    greedy, beam = (fastparse.evaluate(dev, parser.parse(dev, beam=size)).las for size in (1, 2))
    assert parser.info["best_iteration"] == 2
    assert parser.info["greedy"]["bytes"] == pytest.approx(greedy)
    assert abs(beam - greedy) > 1


# Systems that go another way than from configuration to configuration, or that give no trees, and what is said of them.
WITHOUT = {
    **dict.fromkeys(("easy-first", "three-step"), "has no encoder"),
    **dict.fromkeys(("three-step/left", "three-step/right"), "a pass over trees"),
    **dict.fromkeys(
        ("planar/graph", "2-planar/graph", "dag/arc-eager"), "builds graphs, which are learnt besides trees"
    ),
    "dag/arc-standard": "train that, with targets='enhanced'",
    "two-registers/printed": "as they were printed",
}


@pytest.mark.parametrize("system", sorted(fastparse.systems()))
def test_every_system_parses_with_an_encoder_or_says_why_not(system):
    options = {"encoder": "tiny", "iterations": 12, "components": ("parser",)}
    if system in WITHOUT:
        with pytest.raises(Error, match=WITHOUT[system]):
            fastparse.train(toy(), system, **options)
        return
    made = fastparse.train(toy(), system, **options)
    for beam in (1, 4):
        parsed = made.parse(toy(), beam)
        assert parsed.trees().all()
        assert fastparse.evaluate(toy(), parsed, convention="all").uas > 60
