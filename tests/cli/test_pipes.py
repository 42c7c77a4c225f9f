"""Every command reads the same from a file, from a real pipe, and from a FIFO whose bytes come in random pieces."""

import gzip
import os
import random
import subprocess
import sys
import threading
from subprocess import DEVNULL, PIPE

import pytest

from tests.commands import run as command
from tests.commands import start
from tests.toy import TOY, toy_parser

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
TEXT = "She reads old books. He doesn't sleep.\n\nNobody does!\n"
# The command, with IN for the input, OUT for an output, and the kind of input.
COMMANDS = [
    ("parse IN -m MODEL -q", "conllu"),
    ("parse IN -q", "text"),
    ("parse IN -q --to ndjson", "text"),
    ("tag IN -q", "text"),
    ("tokenize IN -q --offsets", "text"),
    ("draw IN", "conllu"),
    ("draw IN", "text"),
    ("derive IN --system swap", "conllu"),
    ("derive IN --system swap --moves", "text"),
    ("evaluate GOLD IN", "conllu"),
    ("evaluate IN GOLD --json", "conllu"),
    ("classes IN", "conllu"),
    ("study transitions IN", "conllu"),
    ("convert IN -q -o /dev/stdout", "conllu"),
    ("bench IN -m MODEL --json", "conllu"),
    ("train IN -q --components lemmatizer -o OUT", "conllu"),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    toy_parser().save(path)
    return path


def from_pipe(words, data):
    """With standard input a pipe that is written to in two goes."""
    with start(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        feeder = threading.Thread(target=fed, args=(process.stdin, data, 2))
        feeder.start()
        out, err = process.stdout.read(), process.stderr.read()
        feeder.join()
    return process.returncode, out, err


def fed(stream, data, n_pieces):
    cuts = sorted(random.Random(n_pieces).choices(range(len(data) + 1), k=n_pieces - 1))
    with stream:
        for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            stream.write(data[begin:end])
            stream.flush()


def from_fifo(words, data, path):
    os.mkfifo(path)
    words = [path if word == "IN" else word for word in words]
    with start(*words, stdin=DEVNULL, stdout=PIPE, stderr=PIPE) as process:
        feeder = threading.Thread(target=lambda: fed(open(path, "wb"), data, 9))  # noqa: SIM115, closed there
        feeder.start()
        out, err = process.stdout.read(), process.stderr.read()
        feeder.join()
    path.unlink()
    return process.returncode, out, err


def data_of(kind):
    return TOY.read_bytes() if kind == "conllu" else TEXT.encode()


def steady(out):
    """What is printed, without measured times."""
    return b"" if b"words_per_second" in out else out


@pytest.mark.parametrize(("line", "kind"), COMMANDS, ids=[f"{line} {kind}" for line, kind in COMMANDS])
def test_a_pipe_is_read_as_a_file_is(line, kind, model, tmp_path):
    data = data_of(kind)
    source = tmp_path / f"in.{'conllu' if kind == 'conllu' else 'txt'}"
    source.write_bytes(data)
    given = {"MODEL": str(model), "GOLD": str(TOY), "OUT": str(tmp_path / "out.fp")}
    words = [given.get(word, word) for word in line.split()]
    outs = []
    for run in ("file", "pipe", "fifo"):
        if run == "file":
            done = command(*(source if word == "IN" else word for word in words))
            status, out, err = done.returncode, done.stdout, done.stderr
        elif run == "pipe":
            status, out, err = from_pipe(["-" if word == "IN" else word for word in words], data)
        else:
            status, out, err = from_fifo(words, data, tmp_path / "fifo")
        assert status == 0, (run, err)
        out = out.replace(str(source).encode(), b"-").replace(str(tmp_path / "fifo").encode(), b"-")
        made = tmp_path / "out.fp"
        outs.append((steady(out), made.read_bytes() if made.exists() else b""))
        made.unlink(missing_ok=True)
    if line.startswith(("study", "classes")):  # which name the treebank after its file
        outs = [b" ".join(word for word in out.split() if word not in (b"in", b"fifo", b"-")) for out, _ in outs]
    assert outs[0] == outs[1] == outs[2]


@pytest.mark.parametrize(
    "data", [TEXT.encode(), gzip.compress(TEXT.encode()), TEXT.encode("utf-16")], ids=["plain", "gzip", "utf-16"]
)
def test_without_an_input_a_pipe_is_read_whatever_it_is(data):
    expected = command("parse", "-q", "-", data=TEXT.encode())
    found = command("parse", "-q", data=data)
    assert (found.returncode, found.stdout) == (0, expected.stdout)
    assert b"\tnsubj\t" in found.stdout
    treebank = command("parse", "-q", data=expected.stdout)
    assert treebank.stdout == expected.stdout, "a treebank is seen to be one"


def test_from_one_command_to_the_next(tmp_path):
    source = tmp_path / "x.txt"
    source.write_text(TEXT)
    line = f'"{sys.executable}" -m fastparse parse "{source}" -q | "{sys.executable}" -m fastparse draw -'
    drawn = subprocess.run(line, shell=True, capture_output=True, check=True).stdout.decode()
    assert drawn.count("ROOT") == 3


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252", "utf-8-sig"])
def test_an_encoding_is_that_of_the_input(encoding, tmp_path):
    text = "The café closed.\n"
    for name in ("x.txt", "-"):
        source = tmp_path / "x.txt"
        source.write_bytes(text.encode(encoding))
        with open(source, "rb") as stream:
            words = ["parse", "-q", "--encoding", encoding, str(source) if name != "-" else "-"]
            done = command(*words, stdin=stream)
        assert done.returncode == 0, done.stderr
        assert "# text = The café closed." in done.stdout.decode()


def test_an_encoding_that_is_not_that_of_the_input_is_an_error(tmp_path):
    source = tmp_path / "x.txt"
    source.write_bytes("The café closed.\n".encode("utf-16") + b"\xd8")
    done = command("parse", source, "--encoding", "utf-16")
    assert done.returncode == 1
    assert b"x.txt" in done.stderr
    assert b"--encoding" in done.stderr
    done = command("parse", source, "--encoding", "latin-2000")
    assert b"latin-2000" in done.stderr
