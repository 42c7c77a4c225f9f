"""Tables of classes against classes asked tree by tree."""

import json
from types import SimpleNamespace

import pytest

from fastparse import Treebank, trees
from fastparse.cli.main import run
from fastparse.studies import plots
from fastparse.studies.classes import classes_study, lifting_studies, planarity_study
from fastparse.studies.table import Study

HEADS = [[0, 1], [3, 0, 2], [3, 4, 0, 3], [3, 4, 5, 0, 4], [4, 5, 6, 0, 4, 4], [2, 0], [3, 4, 0, 1]]
FORMS = [["w"] * len(heads) for heads in HEADS]


def source(name):
    treebank = Treebank.from_columns(forms=FORMS, heads=HEADS)
    return SimpleNamespace(name=name, language=name, read=lambda: treebank)


def test_classes():
    study = classes_study([source("Dutch"), source("Elvish")])
    first, second = study.rows
    for name in ("2-crossing-interval", "1-endpoint-crossing", "projective"):
        inside = sum(trees.contains(heads, name) for heads in HEADS)
        assert first[name] == second[name] == pytest.approx(100 * inside / len(HEADS))
    assert 0 < first["projective"] < first["2-crossing-interval"] <= 100


def test_planarity():
    (row,) = planarity_study([source("Dutch")]).rows
    records = [trees.classify(heads) for heads in HEADS]
    assert row["trees"] == len(HEADS)
    assert row["non-projective"] == sum(not record.projective for record in records) > 0
    assert row["not planar"] == sum(not record.planar for record in records)
    for k in (2, 3, 4):
        assert row[f"not {k}-planar"] == sum(record.planes > k for record in records)
    assert row["ill-nested"] == sum(not record.well_nested for record in records)


def test_the_command(tmp_path, capsys):
    path = tmp_path / "own.conllu"
    Treebank.from_columns(forms=FORMS, heads=HEADS, deprels=FORMS).write(path)
    out = tmp_path / "rows.json"
    assert run(["study", "classes", str(path), "--json", str(out)]) == 0
    assert "1-endpoint-crossing" in capsys.readouterr().out
    document = json.loads(out.read_text(encoding="utf-8"))
    assert document["rows"][0]["treebank"] == "own"
    assert document["verdicts"] == [], "nothing is claimed that one treebank cannot answer"
    assert not any("paper" in name for name in document["rows"][0])
    page = tmp_path / "table.md"
    assert run(["study", "planarity", str(path), "--markdown", str(page)]) == 0
    lines = page.read_text(encoding="utf-8").split("\n")
    assert lines[0].startswith("## Trees outside each class")
    assert [line.count("|") for line in lines[2:5]] == [lines[2].count("|")] * 3
    assert lines[4].startswith("| own | 7 |")
    assert "ill-nested" in capsys.readouterr().out


@pytest.mark.parametrize("n", [1, 2, 12])
def test_plots_clip_nothing(tmp_path, n):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    names = ("2-crossing-interval", "1-endpoint-crossing", "projective")
    row = dict.fromkeys(names, 90.0) | {f"{name}, paper": 80.0 for name in names}
    rows = [{"treebank": f"A_Long_Name_Of-Treebank{i}", **row} for i in range(n)]
    study = Study("Trees in each class, %, without punctuation (Pitler & McDonald 2015, Table 1)", rows)
    seen = []

    def look(figure, path, **_):
        renderer = figure.canvas.get_renderer()
        (panel,) = figure.axes
        page, bars = figure.bbox, panel.get_window_extent(renderer)
        for part in (panel.title, panel.get_legend(), *panel.get_xticklabels(), *panel.get_yticklabels()):
            box = part.get_window_extent(renderer)
            seen.append(part)
            assert box.width == 0 or (box.x0 >= page.x0 - 1 and box.x1 <= page.x1 + 1), part
            assert box.y1 <= page.y1 + 1, part
        assert panel.get_legend().get_window_extent(renderer).x0 >= bars.x1, "the legend covers no bar"

    original = pyplot.Figure.savefig
    try:
        pyplot.Figure.savefig = lambda figure, path, **more: (figure.draw_without_rendering(), look(figure, path))
        plots.plot_bars(study, tmp_path / "plot.png")
    finally:
        pyplot.Figure.savefig = original
    assert len(seen) > 4


def test_lifting(tmp_path, capsys):
    lifting, encodings = lifting_studies([source("Dutch")])
    (row,) = lifting.rows
    outside = [heads for heads in HEADS if not trees.contains(heads, "2-crossing-interval")]
    assert (row["trees"], row["trees outside"], row["words"]) == (len(HEADS), len(outside), sum(map(len, HEADS)))
    assert row["moved by lifting"] <= row["moved by projectivizing"]
    (row,) = encodings.rows
    crooked = sum(sum(trees.nonprojective_arcs(heads)) for heads in HEADS)
    assert row["non-projective arcs"] == crooked > 0
    assert all(0 <= row[name] <= 100 for name in ("head", "path", "head+path"))
    path = tmp_path / "own.conllu"
    Treebank.from_columns(forms=FORMS, heads=HEADS, deprels=FORMS).write(path)
    assert run(["study", "lifting", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "moved by lifting" in printed
    assert "labels of head+path" in printed
