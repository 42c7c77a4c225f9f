"""`fastparse derive` and `fastparse systems`."""

from __future__ import annotations

import json

import pytest

import fastparse
from fastparse.cli.main import run

ROWS = [(2, "nsubj"), (0, "root"), (2, "obj")]
CROSSING = [(0, "root"), (1, "a"), (1, "b"), (2, "c")]


@pytest.fixture
def treebank(tmp_path):
    blocks = []
    for name, rows in (("plain", ROWS), ("crossing", CROSSING)):
        lines = [f"{n}\tw{n}\t_\tX\t_\t_\t{head}\t{label}\t_\t_" for n, (head, label) in enumerate(rows, 1)]
        blocks.append("\n".join([f"# sent_id = {name}", *lines]) + "\n\n")
    path = tmp_path / "two.conllu"
    path.write_text("".join(blocks), encoding="utf-8")
    return str(path)


def test_a_table(treebank, capsys):
    assert run(["derive", treebank, "--system", "arc-eager", "--sentence", "plain"]) == 0
    heading, words, *table = capsys.readouterr().out.rstrip().split("\n")
    assert heading == "# plain: 4 moves"
    assert words == "# 1=w1 2=w2 3=w3"
    assert "\n".join(table) == str(fastparse.derive([2, 0, 2], "arc-eager", ["nsubj", "root", "obj"]))


def test_moves_of_all_sentences(treebank, capsys):
    assert run(["derive", treebank, "--system", "swap", "--oracle", "eager", "--moves", "--unlabelled"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "SHIFT SHIFT LEFT-ARC SHIFT RIGHT-ARC RIGHT-ARC"
    assert "SWAP" in second


def test_trees_outside_the_class(treebank, capsys):
    assert run(["derive", treebank, "--system", "arc-eager", "--moves"]) == 3
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert "sentence crossing" in captured.err
    assert run(["derive", treebank, "--system", "arc-eager", "--sentence", "2"]) == 1
    assert "1 -> 3 and 2 -> 4 cross" in capsys.readouterr().err


def test_options(treebank, capsys):
    options = ["--option", "root=absent", "--option", "covered_roots=false"]
    assert run(["derive", treebank, "--system", "planar", *options, "--moves", "--sentence", "1"]) == 0
    assert capsys.readouterr().out.split().count("SHIFT") == 3


def test_a_page(treebank, tmp_path):
    out = tmp_path / "page.html"
    assert run(["derive", treebank, "--system", "two-registers", "--sentence", "2", "--html", str(out)]) == 0
    assert "STORE(none)" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--system", "arc-eagr"], "did you mean 'arc-eager'"),
        (["--system", "planar", "--option", "root=none"], "'token', 'absent'"),
        (["--system", "planar", "--option", "root"], "NAME=VALUE"),
        (["--system", "swap", "--oracle", "best"], "'lazy', 'eager'"),
        (["--system", "swap", "--sentence", "9"], "no sentence '9'"),
        (["--system", "swap", "--html", "x.html"], "choose one with --sentence"),
    ],
)
def test_errors(treebank, capsys, arguments, message):
    assert run(["derive", treebank, *arguments]) == 1
    assert message in capsys.readouterr().err


def test_systems(capsys):
    assert run(["systems"]) == 0
    lines = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == fastparse.systems()
    assert run(["systems", "2-planar"]) == 0
    assert "option root: token, absent (the first by default)" in capsys.readouterr().out
    assert run(["systems", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == fastparse.systems()
    assert run(["systems", "nothing"]) == 1
