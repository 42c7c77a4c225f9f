"""bench: figures for a model on this machine."""

import json

import pytest

from fastparse.cli.main import USER_ERROR, run
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
    assert run(["bench", str(empty), "-m", model]) == USER_ERROR
    assert "no words" in capsys.readouterr().err
