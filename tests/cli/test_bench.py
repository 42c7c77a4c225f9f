"""bench: figures for a model on this machine."""

import json
import sys
from types import SimpleNamespace

import pytest

from fastparse.cli.main import run
from fastparse.cli.usage import FAILED
from tests.toy import TOY, toy_parser


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    toy_parser().save(path)
    return str(path)


def test_figures_for_programs(model, capsys):
    assert run(["bench", str(TOY), "-m", model, "--beam", "1", "--repeats", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = found["rows"]
    assert found["input"] == "toy.conllu"
    assert (row["model"], row["beam"], row["threads"]) == ("toy", 1, 1)
    assert row["words"] >= 50_000
    assert row["words"] % 448 == 0  # whole repetitions of the file
    assert 0 < row["slowest"] <= row["words_per_second"] <= row["fastest"]
    assert row["microseconds_per_call"] > 0


def test_table_for_people(model, capsys):
    assert run(["bench", str(TOY), "-m", model, "-m", model, "--beam", "1", "--repeats", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "words/s" in lines[1]
    assert [line.split()[0] for line in lines[2:]] == ["toy", "toy"]


def test_a_file_without_words(model, tmp_path, capsys):
    empty = tmp_path / "empty.conllu"
    empty.write_bytes(b"")
    assert run(["bench", str(empty), "-m", model]) == FAILED
    assert "no words" in capsys.readouterr().err


class Rival(SimpleNamespace):
    """As much of UDPipe as is used: it gives back what it is given."""

    @classmethod
    def installed(cls, found=True, fails=False):
        error = SimpleNamespace(occurred=lambda: fails, message="cannot")
        pipeline = SimpleNamespace(process=lambda text, _: text)
        return cls(
            Model=SimpleNamespace(load=lambda path: "model" if found else None),
            Pipeline=type("Pipeline", (), {"NONE": "none", "__new__": lambda cls, *given: pipeline}),
            ProcessingError=lambda: error,
        )


def test_ratios_to_a_rival(model, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ufal", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "ufal.udpipe", Rival.installed())
    assert run(["bench", str(TOY), "-m", model, "--repeats", "2", "--compare", "english.model", "--json"]) == 0
    mine, theirs = json.loads(capsys.readouterr().out)["rows"]
    assert (theirs["model"], theirs["beam"], theirs["times"]) == ("ufal.udpipe english", 1, 1)
    assert mine["times"] == pytest.approx(mine["words_per_second"] / theirs["words_per_second"])
    assert run(["bench", str(TOY), "-m", model, "--repeats", "1", "--compare", "english.model"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[-1] == "times"
    assert (lines[3].split()[0], lines[3].split()[-2:]) == ("ufal.udpipe", ["-", "1.00"])


@pytest.mark.parametrize(
    ("rival", "said"),
    [
        (None, "--compare needs ufal.udpipe, which is not installed"),
        (Rival.installed(found=False), "there is no model of UDPipe in it"),
        (Rival.installed(fails=True), "english.model: cannot"),
    ],
)
def test_what_a_rival_cannot(model, rival, said, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ufal", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "ufal.udpipe", rival)
    assert run(["bench", str(TOY), "-m", model, "--compare", "english.model"]) == FAILED
    assert said in capsys.readouterr().err


def test_an_example_comes_along(model, capsys):
    assert run(["bench", "-m", model, "--repeats", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["input"] == "example.conllu"
