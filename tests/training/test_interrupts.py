"""Ctrl-C in every part of a training: the best whole parser or no model, and what the checkpoint keeps."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

import fastparse
from fastparse.cli.main import run
from fastparse.learning.networks import plans
from fastparse.learning.progress import Begun, ComponentDone, Interrupted, IterationDone, Passing
from fastparse.learning.steps import Interrupts
from tests.toy import TOY, toy
from tests.training.test_encoder_recipe import TINY

ALL = ("tokenizer", "tagger", "lemmatizer", "parser")
TAGS = "tags for the parser"

# ── in this process: where it was ended it goes on, and the bytes are the same ──


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(plans.SIZES, "tiny", TINY)
    monkeypatch.setattr(plans, "_MOST_TAGGER_ROUNDS", 3)
    monkeypatch.setattr("fastparse.learning.encoder.TEACHER", "tiny")
    monkeypatch.setattr("fastparse.learning.course._SECONDS_BETWEEN_REPORTS", 0)


def train(**more):
    options = {"encoder": "tiny", "iterations": 2, "folds": 2, "teachers": 1, "components": ALL, "beam": 1}
    return fastparse.train(toy()[:20], "hybrid", **{**options, **more})


def at(name, number):
    """Reports that are like Ctrl-C in a round of a part."""
    said = []

    def report(event):
        said.append(event)
        if isinstance(event, Passing) and event.place.name == name and event.iteration == number:
            raise KeyboardInterrupt

    return said, report


PARTS = [
    ("tokenizer", 3), ("tagger", 2), ("lemmatizer", 4), (f"{TAGS}, part 1 of 2", 1), (f"{TAGS}, part 2 of 2", 3),
    ("parser, teacher 1 of 1", 2), ("parser", 1),
]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupted_anywhere_it_goes_on_and_the_bytes_are_the_same(tiny, tmp_path, threads):
    whole, path = train(), tmp_path / "checkpoint"
    for name, number in PARTS:
        said, report = at(name, number)
        with pytest.raises(KeyboardInterrupt):
            train(checkpoint=path, progress=report, threads=threads)
        (last,) = [event for event in said if isinstance(event, Interrupted)]
        assert f"{name}, round {number} of" in str(last)
        assert "there is no model" in str(last)
        assert f"{path} keeps" in str(last) or (name, number) == PARTS[0]
        begun = [event.place.name for event in said if isinstance(event, Begun)]
        assert begun[-1] == name
    assert train(checkpoint=path, threads=threads).sha256 == whole.sha256
    said = []
    assert train(checkpoint=path, progress=said.append).sha256 == whole.sha256
    assert not [
        event for event in said if isinstance(event, (IterationDone, ComponentDone)) and "tags" not in str(event)
    ]


def test_after_its_first_round_a_parser_is_kept_and_says_where_it_was_cut_short(tiny, tmp_path):
    parser = train(progress=at("parser", 3)[1], iterations=4, checkpoint=tmp_path / "checkpoint")
    assert parser.info["cut_short"] == {"in": "parser", "iteration": 3, "iterations": 4}
    assert len(parser.info["iterations"]) == 2
    whole = train(iterations=4)
    assert "cut_short" not in whole.info
    assert train(iterations=4, checkpoint=tmp_path / "checkpoint").sha256 == whole.sha256


def test_steps_are_announced_with_the_time_that_is_left(tiny):
    said = []
    train(progress=said.append)
    names = [str(event) for event in said if isinstance(event, Begun)]
    assert names == [
        "1 of 5: tokenizer", "2 of 5: tagger", "3 of 5: lemmatizer", f"4 of 5: {TAGS}, part 1 of 2",
        f"4 of 5: {TAGS}, part 2 of 2", "5 of 5: parser, teacher 1 of 1", "5 of 5: parser",
    ]  # fmt: skip
    passing = [event for event in said if isinstance(event, Passing)]
    assert {event.place.name for event in passing} == {name.partition(": ")[2] for name in names}
    for event in passing:
        assert (event.all_left is None) == (event.place.name == "parser")
        assert event.all_left is None or event.all_left >= event.seconds_left >= 0
    text = Passing(3, 10, 64, 100, 1000.0, 80.0, 362.0, passing[0].place)
    assert str(text) == "1 of 5: tokenizer, round 3 of 10, 1:20 min left; in all 6 min"


def test_what_is_not_in_the_file_is_not_said_to_be(tiny, tmp_path, monkeypatch):
    """Ctrl-C may come while the checkpoint is written."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("fastparse.learning.checkpoint.write_container", interrupted)
    said = []
    with pytest.raises(KeyboardInterrupt):
        train(checkpoint=tmp_path / "c", progress=said.append)
    (last,) = [event for event in said if isinstance(event, Interrupted)]
    assert "keeps" not in str(last)
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("what", [("tokenizer", "1.drift", 0), ("tagger", "numbers", 5), ("lemmatizer", "scripts", 0)])
def test_damaged_parts_are_refused(tiny, tmp_path, what):
    from fastparse.learning.checkpoint import CHECKPOINT
    from fastparse.model.storage import read_container, write_container

    part, name, _ = what
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        train(checkpoint=path, progress=at(part, 3)[1])
    sound = read_container(path, CHECKPOINT)
    for damage in (lambda a: a[:-1], lambda a: a.reshape(1, -1), None):
        arrays = dict(sound.arrays)
        damaged = arrays.pop(f"{part}/{name}")
        if damage is not None:
            arrays[f"{part}/{name}"] = damage(damaged)
        write_container(path, sound.header, arrays, CHECKPOINT)
        with pytest.raises(fastparse.ModelFormatError, match="the checkpoint cannot be used"):
            train(checkpoint=path)


# ── signals ──


def interrupted_in_a_piece(interrupts, rest):
    with interrupts.piece():
        signal.raise_signal(signal.SIGINT)
        rest()


def test_the_first_signal_waits_for_the_piece_and_the_second_does_not():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = []
        with Interrupts() as interrupts:
            for what in ("the rest of the piece", "never"):
                with pytest.raises(KeyboardInterrupt):
                    interrupted_in_a_piece(interrupts, lambda what=what: done.append(what))
        assert done == ["the rest of the piece"]
        assert interrupts.heard == 2
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


# The command, with components that take their time: a toy treebank is learnt too quickly to be interrupted.
SLOW = """
import sys, time
from fastparse.learning.course import Course
learn = Course._learn
Course._learn = lambda course, number: (time.sleep(0.3), learn(course, number), time.sleep(0.3))
from fastparse.cli.main import main
main(sys.argv[1:])
"""


def started(folder, *options):
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, "train", str(TOY), "-o", "m.fp", "--iterations", "4", "--folds", "2", *options],
        cwd=folder, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(TOY.parents[2])},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def until(process, text):
    """Everything the process says until it says this."""
    said = b""
    for line in process.stderr:
        said += line
        if text in line:
            return said
    raise AssertionError(said.decode())


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("where", "options"),
    [
        ("tokenizer", ["--encoder", "none", "--components", "tokenizer,parser"]),
        ("lemmatizer", ["--encoder", "none", "--components", "lemmatizer,parser"]),
        ("tagger", ["--encoder", "small", "--components", "tagger,parser"]),
        (f"{TAGS}, part 1 of 2", ["--encoder", "small", "--components", "parser", "--tags", "predicted"]),
        ("parser, teacher 1 of 2", ["--encoder", "small", "--components", "parser", "--teachers", "2"]),
        ("parser", ["--encoder", "small", "--components", "parser"]),
    ],
)
def test_ctrl_c_on_the_way_writes_no_model(tmp_path, where, options):
    process = started(tmp_path, "--checkpoint", "c", *options)
    until(process, f": {where}".encode())
    time.sleep(0.1 if where == "parser" else 1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said.decode()
    assert b"Traceback" not in said
    assert b"there is no model" in said
    assert where.encode() in said
    assert not (tmp_path / "m.fp").exists()
    assert (tmp_path / "c").exists() == (b"c keeps what has been learnt" in said)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_second_ctrl_c_ends_at_once_without_a_model(tmp_path):
    process = started(tmp_path, "--encoder", "none", "--components", "parser", "--dev", str(TOY))
    until(process, b"round 1 of 4")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_in_the_parser_writes_the_best_and_says_so(tmp_path, capsys):
    process = started(tmp_path, "--encoder", "small", "--components", "parser", "--dev", str(TOY), "-q")
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) in (143, -15)
    process = started(tmp_path, "--encoder", "small", "--components", "parser", "--dev", str(TOY))
    until(process, b"round 2 of 4")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said.decode()
    assert b"Interrupted in round 3 of 4 of the parser; the best is" in said
    assert b"wrote m.fp" in said
    assert fastparse.load(tmp_path / "m.fp").info["cut_short"]["iteration"] == 3
    assert run(["info", str(tmp_path / "m.fp")]) == 0
    assert re.search(r"cut short +Ctrl-C in round 3 of the parser", capsys.readouterr().out)
