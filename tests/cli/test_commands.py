"""parse, train and info from the outside: what they write, where, and with which status they leave."""

import json
import os
import signal
import threading
from subprocess import PIPE

import pytest

import fastparse
from tests.commands import run, start
from tests.toy import TOY, toy, toy_parser


def test_from_pipe_to_pipe(model, parsed):
    done = run("parse", "-", "-m", model, data=TOY.read_bytes())
    assert done.returncode == 0
    assert done.stdout == parsed
    assert b"61 sentences, 448 words" in done.stderr


@pytest.mark.parametrize("threads", ["1", "2"])
def test_from_file_to_file(model, parsed, tmp_path, threads):
    done = run("parse", TOY, TOY, "-m", model, "-o", tmp_path / "out.conllu", "-q", "--threads", threads)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "out.conllu").read_bytes() == parsed * 2


def test_a_file_per_input(model, parsed, tmp_path):
    other = tmp_path / "other.conllu"
    other.write_bytes(TOY.read_bytes() * 2)
    done = run("parse", TOY, other, "-m", model, "-o", f"{tmp_path}/parsed/")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "parsed" / "toy.conllu").read_bytes() == parsed
    assert (tmp_path / "parsed" / "other.conllu").read_bytes() == parsed * 2
    assert run("parse", TOY, TOY, "-m", model, "-o", f"{tmp_path}/parsed/").returncode == 1


def test_beams(model):
    done = run("parse", TOY, "-m", model, "--beam", "1")
    assert done.stdout == toy_parser().parse(toy(), beam=1).to_bytes()


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (["parse", "no-such-file", "-m", "MODEL"], 1, "no-such-file: there is no such file"),
        (["parse", TOY, "-m", "no-such-model"], 1, "no-such-model"),
        (["parse", TOY, "-m", TOY], 1, "not a usable model file"),
        (["parse", TOY, "-m", "MODEL", "-o", "no/such/folder/out"], 1, "there is no folder"),
        (["shard"], 2, "STEP"),
        (["parse", TOY, "--beam", "0"], 2, "'0' is no number from 1 to 1023"),
        (["parse", TOY, "--threads", "many"], 2, "'many'"),
        (["train", TOY, "--beam", "0"], 2, "--beam"),
        (["train", TOY, "-o", "no/such/folder/m.fp"], 1, "no folder"),
        (["train", TOY, "-o", "m.fp", "--system", "arc-eagre"], 1, "arc-eager"),
        (["train", TOY, "-o", "m.fp", "--system", "planar/graph"], 1, "graphs"),
        (["train", TOY, "-o", "m.fp", "--option", "eager"], 1, "NAME=VALUE"),
        (["train", os.devnull, "-o", "m.fp"], 1, "no sentences"),
        (["info", TOY], 1, "not a usable model file"),
    ],
)
def test_errors_are_messages(model, tmp_path, args, status, message):
    done = run(*[model if arg == "MODEL" else arg for arg in args], cwd=tmp_path)
    assert done.returncode == status
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_unreadable_sentences(model, parsed, tmp_path):
    bad = tmp_path / "bad.conllu"
    bad.write_bytes(TOY.read_bytes() + b"1\tGo\n\n")
    out = tmp_path / "out"
    done = run("parse", bad, "-m", model, "-o", out)
    assert done.returncode == 1
    assert not out.exists()
    assert b"bad.conllu:" in done.stderr
    done = run("parse", bad, "-m", model, "-o", out, "--on-error", "skip")
    assert done.returncode == 3
    assert out.read_bytes() == parsed
    assert b"bad.conllu:" in done.stderr
    assert b"1 skipped" in done.stderr
    done = run("parse", bad, "-m", model, "-o", out, "--on-error", "keep", "--stats", tmp_path / "stats")
    assert done.returncode == 3
    assert out.read_bytes() == parsed + b"1\tGo\n\n"
    assert json.loads((tmp_path / "stats").read_text())["kept"] == 1


def test_train_and_info(tmp_path):
    path = tmp_path / "m.fp"
    done = run(
        "train", TOY, "-o", path, "--encoder", "none", "--dev", TOY, "--system", "swap",
        "--option", "oracle=eager", "--beam", "2",
        "--iterations", "2", "--licence", "ours",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"round 2 of 2" in done.stderr
    expected = fastparse.train(
        toy(), "swap", dev=toy(), beam=2, iterations=2, licence="ours", system_options={"oracle": "eager"}, encoder=None
    )
    assert fastparse.load(path).sha256 == expected.sha256
    info = json.loads(run("info", path, "--json").stdout)
    assert info["system"] == "swap"
    assert info["licence"] == "ours"
    text = run("info", path, "--verify").stdout.decode()
    assert "swap, oracle eager" in text
    assert expected.sha256 in text
    assert run("info", path, "--templates").stdout.decode() == expected.info["templates"]


def test_options_that_are_numbers(tmp_path):
    path = tmp_path / "m.fp"
    asked = ("--system", "attardi", "--option", "degree=3", "--components", "parser", "--iterations", "1", "-q")
    done = run("train", TOY, "-o", path, "--encoder", "none", "--beam", "1", *asked)
    assert done.returncode == 0, done.stderr
    assert fastparse.load(path).info["options"] == {"degree": 3}


# ── ends from outside ──


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_signals_leave_no_file(model, tmp_path, number, status, threads):
    out = tmp_path / "out"
    process = start("parse", "-", "-m", model, "-o", out, "--threads", threads, stdin=PIPE, stderr=PIPE)
    process.stdin.write(TOY.read_bytes() * 100)
    process.stdin.flush()
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == status
    assert b"Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupted_training_saves_the_best(tmp_path):
    path = tmp_path / "m.fp"
    process = start(
        "train", TOY, "-o", path, "--encoder", "none", "--iterations", "100000", "--beam", "1", "--dev", TOY,
        stderr=PIPE,
    )  # fmt: skip
    for line in process.stderr:
        if b"round 2 of " in line:
            break
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert len(fastparse.load(path).info["iterations"]) >= 2


@pytest.mark.skipif(os.name != "posix", reason="pipes")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_closed_pipe_ends_quietly(model, tmp_path, threads):
    big = tmp_path / "big.conllu"
    big.write_bytes(TOY.read_bytes() * 100)
    process = start("parse", big, "-m", model, "--threads", threads, stdout=PIPE, stderr=PIPE)
    assert process.stdout.read(100)
    process.stdout.close()
    errors = process.stderr.read()
    assert process.wait(timeout=60) == 0
    assert errors == b""


@pytest.mark.skipif(os.name != "posix", reason="pipes")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_slow_pipe_is_served_sentence_by_sentence(model, parsed, threads):
    """A coprocess gets the answer to a sentence before it says the next one."""
    process = start("parse", "-", "-m", model, "-q", "--threads", threads, stdin=PIPE, stdout=PIPE)
    answers = []
    for sentence in TOY.read_bytes().split(b"\n\n")[:5]:
        process.stdin.write(sentence + b"\n\n")
        process.stdin.flush()
        answer = b""
        while not answer.endswith(b"\n\n"):
            answer += os.read(process.stdout.fileno(), 1 << 16)
        answers.append(answer)
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    assert process.stdout.read() == b""
    assert parsed.startswith(b"".join(answers))
    assert len(answers) == 5


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_pipes_are_served_before_they_end(model):
    """What has been parsed is written while the input is still open."""
    process = start("parse", "-", "-m", model, "-q", stdin=PIPE, stdout=PIPE)
    writer = threading.Thread(target=process.stdin.write, args=(TOY.read_bytes() * 100,))
    writer.start()
    assert process.stdout.read(100)
    reader = threading.Thread(target=process.stdout.read)
    reader.start()
    writer.join()
    process.stdin.close()
    reader.join()
    assert process.wait(timeout=60) == 0
