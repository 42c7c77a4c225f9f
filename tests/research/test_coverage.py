"""Tables of classes beside the papers' figures, and verdicts on them."""

import json

import pytest

from fastparse import Treebank
from research import coverage
from research.coverage import classes_study, planarity_study
from research.published import printed, published
from research.tables import main as run
from tests.studies.test_coverage import FORMS, HEADS, source


def test_figures_stand_beside():
    first, second = classes_study([source("Dutch"), source("Elvish")]).rows
    assert [name for name in first if name.endswith(", paper")] == [
        f"{name}, paper" for name in ("2-crossing-interval", "1-endpoint-crossing", "projective")
    ]
    assert (first["projective, paper"], second["projective, paper"]) == (63.6, None)
    (row,) = planarity_study([source("Dutch")]).rows
    assert row["not 2-planar, %, paper"] == pytest.approx(100 * 162 / 13349)


def test_verdicts():
    study = classes_study([source(str(number)) for number in range(10)])
    assert [verdict.outcome for verdict in study.verdicts] == ["reproduced", "reproduced"]
    assert study.verdicts[0].p == pytest.approx(2 / 2**10)
    # One treebank is no evidence.
    alone = classes_study([source("Dutch")]).verdicts
    assert [verdict.outcome for verdict in alone] == ["too little data"] * 2
    assert "more trees in 1 treebank, fewer in 0" in alone[0].detail
    assert {verdict.outcome for verdict in classes_study([]).verdicts} == {"no data"}
    assert [verdict.outcome for verdict in planarity_study([]).verdicts] == ["no data"]


def test_two_treebanks_that_agree_are_too_few_to_tell():
    rows = [{"one": 3, "other": 2}] * 2
    assert coverage._order(rows, "one", "other").outcome == "too little data"
    assert coverage._order(rows * 3, "one", "other").outcome == "reproduced"
    assert coverage._order(rows, "other", "one").outcome == "not reproduced"
    assert coverage._order([*rows, *[{"one": 1, "other": 2}] * 2], "one", "other").outcome == "not reproduced"


def test_published_rows_have_a_number_per_column():
    for table in (table for table in published().values() if "columns" in table):
        parts = [part for name, part in table.items() if isinstance(part, dict) and name != "las by direction"]
        assert parts
        for row in (row for part in parts for row in part.values()):
            assert len(row) == len(table["columns"])
    assert printed("classes", "Klingon") is None


@pytest.mark.parametrize("table", ["gold tags", "predicted tags"])
def test_printed_averages_are_those_of_the_rows(table):
    rows = dict(published()["las"][table])
    average = rows.pop("average")
    for system in range(3):
        for measure in range(2):
            mean = sum(row[system][measure] for row in rows.values()) / len(rows)
            assert mean == pytest.approx(average[system][measure], abs=0.011)


def test_the_command(tmp_path, capsys):
    path = tmp_path / "own.conllu"
    Treebank.from_columns(forms=FORMS, heads=HEADS, deprels=FORMS).write(path)
    out = tmp_path / "rows.json"
    assert run(["classes", str(path), "--json", str(out)]) == 0
    assert "1-endpoint-crossing" in capsys.readouterr().out
    document = json.loads(out.read_text(encoding="utf-8"))
    assert document["rows"][0]["treebank"] == "own"
    assert {verdict["outcome"] for verdict in document["verdicts"]} <= {"too little data"}
    page = tmp_path / "table.md"
    assert run(["planarity", str(path), "--markdown", str(page)]) == 0
    lines = page.read_text(encoding="utf-8").split("\n")
    assert lines[0].startswith("## Trees outside each class")
    assert [line.count("|") for line in lines[2:5]] == [lines[2].count("|")] * 3
    assert lines[4].startswith("| own | 7 |")
    assert any(line.startswith("- **") for line in lines)
    assert "ill-nested" in capsys.readouterr().out


def test_the_papers_own_tables(capsys):
    assert run(["published"]) == 0
    printed = capsys.readouterr().out
    assert "Pitler & McDonald" in printed
    assert "Gómez-Rodríguez & Nivre" in printed
    assert "20,353 (23.16%)" in printed
