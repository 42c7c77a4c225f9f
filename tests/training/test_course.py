"""What is said of a training while it runs, by a clock that can be foretold."""

import random
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import fastparse
from fastparse.learning.course import Shuffled
from fastparse.learning.progress import IterationDone, Passing
from fastparse.learning.steps import Cost, Training
from tests.toy import toy


@pytest.fixture
def clock(monkeypatch):
    """Ten seconds pass between any two looks at the clock, which are made for every 16 sentences."""
    ticks = count(1000, 10)
    monkeypatch.setattr("fastparse.learning.course.time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    monkeypatch.setattr("fastparse.learning.course._SENTENCES_AT_A_TIME", 16)


def events_of(**options):
    events = []
    fastparse.train(toy(), "arc-eager", beam=2, progress=events.append, encoder=None, **options)
    return events


def test_speed_and_the_time_that_is_left(clock):
    events = [event for event in events_of(iterations=3) if isinstance(event, Passing) and event.place.step == "parser"]
    assert [(event.iteration, event.sentences) for event in events] == [
        (iteration, sentences) for iteration in (1, 2, 3) for sentences in (16, 32, 48, 61)
    ]
    for k, event in enumerate(events):
        seconds = 10 * (k % 4 + 1)
        done = event.words_per_second * seconds
        assert done == pytest.approx(round(done))
        words = toy().n_words
        assert event.seconds_left == pytest.approx((words * (4 - event.iteration) - done) / event.words_per_second)
        if event.sentences == 61:
            assert done == pytest.approx(words)
            assert event.seconds_left == pytest.approx(40 * (3 - event.iteration))


def test_the_time_until_all_parts_are_learnt(monkeypatch):
    now = 0.0
    monkeypatch.setattr("fastparse.learning.steps.time", SimpleNamespace(perf_counter=lambda: now))
    training = Training()
    training.expect([Cost("tagger", "", 1), Cost("parser", "teacher", 4), Cost("parser", "", 5), Cost("tagger", "", 0)])
    training.begin("tagger")
    now = 10.0
    assert training.left(10) == (10, 10 + 20 * 9)
    training.begin("parser", "teacher")
    now = 30.0
    assert training.left(20) == (20 + 10 * 5, 20 + 10 * 5)


def test_each_round_is_a_shuffle_of_the_one_before():
    order, source, wanted = list(range(20)), random.Random(7), []
    for _ in range(3):
        source.shuffle(order)
        wanted.append(order.copy())
    shuffled = Shuffled(range(20), 7, at_a_time=6)
    for number, expected in enumerate(wanted, 1):
        pieces = shuffled.pieces(number)
        assert [len(piece) for piece in pieces] == [6, 6, 6, 2]
        assert np.concatenate(pieces).tolist() == expected
        assert np.concatenate(shuffled.pieces(number)).tolist() == expected, "it is asked for again"
    assert np.concatenate(Shuffled(range(20), 7).pieces(3)).tolist() == wanted[-1], "a training goes on from there"


def test_reports_are_not_more_frequent_than_asked(clock, monkeypatch):
    monkeypatch.setattr("fastparse.learning.course._SECONDS_BETWEEN_REPORTS", 20)
    events = [event for event in events_of(iterations=1) if isinstance(event, Passing) and event.place.step == "parser"]
    assert [event.sentences for event in events] == [32, 61]


def test_the_time_of_an_iteration_is_that_of_learning(clock):
    events = [event for event in events_of(iterations=2, dev=toy()) if isinstance(event, IterationDone)]
    assert [event.seconds for event in events] == [50, 50]
    assert [event.iterations for event in events] == [2, 2]
