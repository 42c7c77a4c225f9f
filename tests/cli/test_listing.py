"""What `systems`, `info` and `models` print: words for people, nothing of the inside."""

import json

import pytest

import fastparse
from fastparse.cli.main import run
from tests.toy import toy, toy_parser


@pytest.mark.parametrize("name", fastparse.systems())
def test_a_system_is_described(name, capsys):
    assert run(["systems", name]) == 0
    said = capsys.readouterr().out
    head, _, table = said.partition("\n\n")[2].partition("\n\n")
    assert said.startswith(f"{name}: ")
    assert "None" not in said
    assert "<" not in head
    assert "any value" not in said
    for option in fastparse.options(name):
        assert f"option {option}: " in head
    assert "->" in table or "three" in name or "planar.pyx has the moves" in table


def test_systems_are_a_line_each(capsys):
    assert run(["systems"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(fastparse.systems())]] == fastparse.systems()
    assert run(["systems", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["name"]: row["longest"] for row in rows}["swap"] == "n + n²"


def test_info_says_what_matters(tmp_path, capsys):
    path = tmp_path / "m.fp"
    fastparse.train(
        toy(),
        "two-registers",
        dev=toy(),
        beam=2,
        iterations=3,
        components=("parser",),
        about="Toyish, the toy treebank",
        encoder=None,
    ).save(path)
    assert run(["info", str(path)]) == 0
    said = capsys.readouterr().out
    assert "None" not in said
    assert said.split("\n")[0].split(maxsplit=1) == ["about", "Toyish, the toy treebank"]
    assert "written 20" in said
    assert said.count("iteration ") == 1, "the one whose weights these are"
    assert "of 3 " in said
    assert run(["info", str(path), "--iterations"]) == 0
    assert capsys.readouterr().out.count("\niteration ") == 3


def test_info_is_of_the_default_model(capsys):
    assert run(["info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sha256"] == fastparse.load().sha256


def test_one_is_one(tmp_path, capsys):
    path = tmp_path / "m.fp"
    toy_parser().save(path)
    one = tmp_path / "one.conllu"
    one.write_text("1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    assert run(["parse", str(one), "-m", str(path), "-o", str(tmp_path / "out")]) == 0
    assert "fastparse: 1 sentence, 1 word in " in capsys.readouterr().err
