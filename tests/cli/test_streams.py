"""Commands with closed standard streams, on terminals, and under signals."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import fastparse
from fastparse.cli.terminal import Visible
from fastparse.corpus.problems import Problem, place, visible
from tests.commands import run, start
from tests.toy import TOY, toy, toy_parser

pytestmark = pytest.mark.skipif(os.name != "posix", reason="descriptors and signals")
EVIL = "\x1b]0;owned\x07\x1b[31m\x9b1m\u202eabc\r"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    toy_parser().save(path)
    return str(path)


def fastparse_with(closed, *args, **options):
    """The command with standard streams closed, as `<&- >&- 2>&-` closes them."""
    redirections = {0: "<&-", 1: ">&-", 2: "2>&-"}
    script = f'exec "$0" -m fastparse "$@" {" ".join(redirections[number] for number in closed)}'
    return subprocess.run(
        ["sh", "-c", script, sys.executable, *map(str, args)], capture_output=True, check=False, **options
    )


@pytest.mark.parametrize("closed", [(), (0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_closed_streams_do_not_matter_to_files(closed, model, tmp_path):
    out = tmp_path / "out.conllu"
    done = fastparse_with(closed, "parse", "-q", TOY, "-m", model, "-o", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert out.read_bytes() == toy_parser().parse(toy()).to_bytes()
    if 2 in closed:  # where the counts would be
        assert fastparse_with(closed, "parse", TOY, "-m", model, "-o", out).returncode == 0


def test_closed_streams_that_are_needed_are_named(model, tmp_path):
    done = fastparse_with((0,), "parse", "-", "-m", model, "-o", tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr == b"fastparse: standard input is closed: give a file, or leave it open\n"
    done = fastparse_with((1,), "parse", TOY, "-m", model)
    assert done.returncode == 1
    assert b"standard output is closed" in done.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is full")
@pytest.mark.parametrize("command", [["systems"], ["info", "en"]])
def test_standard_output_that_is_full_is_named_by_what_is_printed(command):
    with open("/dev/full", "wb") as full:
        done = start(*command, stdout=full, stderr=subprocess.PIPE)
        _, errors = done.communicate()
    assert done.returncode == 1
    assert errors.startswith(b"fastparse: standard output: there is no space left")


def test_control_characters_are_spelt_out_in_messages(model, tmp_path):
    source = tmp_path / f"in{EVIL}.conllu"
    source.write_bytes(f"# sent_id = {EVIL[:-1]}{'x' * 5000}\n1\tGo\n\n".encode())
    done = run("parse", source, "-m", model)
    assert done.returncode == 1
    message = done.stderr.decode()
    assert not set(message) & set(EVIL[:-4] + "\r\u202e") - set(EVIL[1:9] + "owned[31m1m")
    assert r"\x1b]0;owned\x07" in message
    assert len(message) < 1500
    done = run("parse", source, "-m", model, "--on-error", "skip")
    assert b"\x1b" not in done.stderr
    assert run("draw", TOY, "--sentence", "9" * 5000).stderr.startswith(b"fastparse: no sentence")


def test_terminals_are_shown_no_control_characters():
    class Terminal:
        def __init__(self):
            self.shown = ""

        def write(self, text):
            self.shown += text
            return len(text)

        encoding = "utf-8"

    terminal = Terminal()
    print(f"a\tb{EVIL}", file=Visible(terminal))
    assert terminal.shown == "a\tb" + r"\x1b]0;owned\x07\x1b[31m\x9b1m\u202eabc\r" + "\n"
    assert Visible(terminal).encoding == "utf-8"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="pseudo-terminals")
def test_drawing_to_a_terminal(tmp_path):
    source = tmp_path / "in.conllu"
    source.write_bytes(f"# sent_id = a{EVIL[:-1]}b\n1\tGo\x1b[31m\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n".encode())
    ours, theirs = os.openpty()
    with start("draw", source, stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
    os.close(ours)
    assert process.returncode == 0
    assert b"\\x1b]0;owned" in shown
    assert b"\x1b" not in shown


def test_places_are_short_and_harmless():
    assert place("a\x1bb", 7, "c\x07" + "d" * 500) == r"a\x1bb:7 (sent_id c\x07" + "d" * 78 + "...)"
    assert visible("\ud800 é漢\u2028") == r"\ud800 é漢\u2028"
    assert str(Problem("f", 1, None, "m")) == "m"


# Signals


def seconds_until_interrupted(work, after):
    """How long a signal that comes `after` seconds has to wait; None if the work was done before."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        work()
    except KeyboardInterrupt:
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
    return None


@pytest.mark.parametrize("threads", [1, 2])
def test_signals_are_answered_within_a_call(threads):
    """A treebank was parsed to its end before a signal was looked at. The bound is wide, for loaded machines."""
    parser, many = toy_parser(), toy().select(list(range(len(toy()))) * 400)
    waited = seconds_until_interrupted(lambda: parser.parse(many, beam=32, threads=threads), 0.3)
    assert waited is not None
    assert waited < 1.5


@pytest.mark.parametrize("threads", [0, -1, 10**9, 1025, True, 2.0, "2"])
def test_impossible_numbers_of_threads(threads, tmp_path):
    parser = toy_parser()
    for call in (
        lambda: parser.parse(toy(), threads=threads),
        lambda: parser.parse_file(TOY, tmp_path / "out", threads=threads),
        lambda: parser.parse_arrays(["a"], threads=threads),
    ):
        with pytest.raises(fastparse.Error, match=r"threads=.*: expected a number from 1 to 1024"):
            call()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("number", "ignored", "status"), [("HUP", False, 129), ("HUP", True, 0), ("TERM", False, 143)])
def test_hanging_up_leaves_no_file(number, ignored, status, model, tmp_path):
    signum = getattr(signal, f"SIG{number}")
    process = subprocess.Popen(
        [sys.executable, "-m", "fastparse", "parse", "-", "-q", "-m", model, "-o", str(tmp_path / "out")],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signum, signal.SIG_IGN if ignored else signal.SIG_DFL),
    )  # fmt: skip
    process.stdin.write(TOY.read_bytes() * 100)
    process.stdin.flush()
    process.send_signal(signum)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (status, b"")
    assert os.listdir(tmp_path) == (["out"] if ignored else [])
