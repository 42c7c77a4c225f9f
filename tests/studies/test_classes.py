"""Coverage tables: punctuation, counts, layouts, the command."""

import csv
import io
import json

import pytest

from fastparse import trees
from fastparse.cli.main import run
from fastparse.corpus.treebank import Treebank
from fastparse.studies import classes as study

CROSSING = [["a", "b", "c"], [3, 0, 2]]
# Only the comma makes it non-projective.
BY_COMMA = [["a", ",", "b", "c"], [3, 4, 0, 3]]
COVERED_ROOT = [["a", "b", "c"], [3, 0, 0]]
PLAIN = [["a", "b", "!"], [2, 0, 2]]


def treebank(*sentences):
    return Treebank.from_columns(
        forms=[forms for forms, _ in sentences],
        heads=[heads for _, heads in sentences],
    )


@pytest.fixture
def found():
    return study.coverage(treebank(CROSSING, BY_COMMA, COVERED_ROOT, PLAIN), "toy")


def test_rows(found):
    row = found.to_dict()
    assert row["trees"] == 4
    assert row["non-projective"] == 3
    assert row["not planar"] == 1  # the root of the third is covered: arcs between words do not cross
    assert row["words_only.non-projective"] == 2
    assert row["words_only.projective"] == 50.0
    assert row["projective"] == 25.0
    assert row["punctuation"] == round(100 * 2 / 13, 2)


def test_layouts(found):
    lines = study.CROSSING_TABLE.text([found, found]).splitlines()
    assert lines[1].split() == list(study.CROSSING_TABLE.columns)
    assert lines[2].split() == ["toy", "100.0", "100.0", "50.0", "100.0"]
    assert lines[4].split() == ["average", "100.0", "100.0", "50.0", "100.0"]
    lines = study.PLANAR_TABLE.text([found]).splitlines()
    assert lines[2].split()[:4] == ["toy", "4", "3", "(75.00%)"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "toy" / "train.conllu"
    path.parent.mkdir()
    rows = []
    for forms, heads in (CROSSING, BY_COMMA, COVERED_ROOT, PLAIN):
        rows += [f"{i}\t{w}\t_\t_\t_\t_\t{h}\tx\t_\t_" for i, (w, h) in enumerate(zip(forms, heads, strict=True), 1)]
        rows.append("")
    path.write_text("\n".join(rows) + "\n")
    return path


def test_command(file, capsys, found):
    assert run(["classes", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "toy" in printed
    assert "3 (75.00%)" in printed
    assert run(["classes", str(file), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row == {**found.to_dict(), "treebank": "toy"}
    assert run(["classes", str(file), str(file), "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [r["non-projective"] for r in rows] == ["3", "3"]


def test_command_says_what_it_left_out(file, capsys):
    file.write_text(file.read_text() + "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n")
    assert run(["classes", str(file)]) == 0
    captured = capsys.readouterr()
    assert "left out, as no trees: 1 sentence\n" in captured.err
    assert " 4 " in captured.out


def test_command_refuses_what_is_not_there(capsys):
    assert run(["classes", "nowhere.conllu"]) == 1
    assert "nowhere.conllu" in capsys.readouterr().err


def test_every_class_name_is_understood():
    for name in trees.classes():
        assert trees.contains([0], name)
