"""Accuracy of systems on the toy treebank, from trainings that go on where they were stopped; the table of a study."""

import json
import shutil

import numpy as np
import pytest

import fastparse
from fastparse.cli.main import run
from fastparse.errors import Error, UnknownNameError
from fastparse.studies.accuracy import Training, accuracy_study, contender
from fastparse.studies.table import Study, Verdict
from fastparse.studies.treebanks import sources
from tests.toy import TOY, toy

SHORT = [Training(beam=2, iterations=1, seed=seed) for seed in (1, 2)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("treebanks")
    (path / "Danish-Toy").mkdir()
    for part in ("train", "dev"):
        shutil.copy(TOY, path / "Danish-Toy" / f"{part}.conllu")
    return path


def test_contenders():
    found = contender("swap:eager+head+path")
    assert found == ("swap", "eager", "head+path")
    assert found.name == "swap:eager+head+path"
    assert contender("arc-standard/buffer").stem == "arc-standard-buffer"
    with pytest.raises(Error, match="encoding"):
        contender("swap+tail")
    with pytest.raises(UnknownNameError):
        contender("no-such-system")


def test_scores_are_those_of_evaluate(folder, tmp_path):
    said = []
    systems = [contender(name) for name in ("arc-eager", "swap", "easy-first")]
    study = accuracy_study(sources([folder]), systems, tmp_path, SHORT, report=said.append)
    assert [(row["treebank"], row["system"]) for row in study.rows] == [
        ("Danish-Toy", "arc-eager"), ("Danish-Toy", "swap")
    ]  # fmt: skip
    scores = [
        fastparse.evaluate(
            toy(), fastparse.train(toy(), "swap", beam=2, iterations=1, seed=seed).parse(toy()), "conllx"
        )
        for seed in (1, 2)
    ]
    for name in ("LAS", "UAS", "CLAS"):
        assert study.rows[1][name] == pytest.approx(np.mean([getattr(one, name.lower()) for one in scores]))
    (verdict,) = study.verdicts
    assert verdict.contrast == "swap and arc-eager differ on Danish-Toy, LAS"
    assert verdict.outcome == ("significant" if verdict.p < 0.05 else "not significant")
    assert any("easy-first cannot be trained" in note for note in study.notes)
    assert any("parsing" in line for line in said)


def test_models_that_are_there_are_not_trained_again(folder, tmp_path, monkeypatch):
    def rows():
        return accuracy_study(sources([folder]), [contender("arc-eager")], tmp_path, SHORT[:1]).rows

    before = rows()
    monkeypatch.setattr(fastparse, "train", lambda *args, **options: pytest.fail("trained again"))
    assert rows() == before
    assert not list(tmp_path.glob("*.checkpoint"))


def test_the_command(folder, tmp_path, capsys):
    out, work = tmp_path / "rows.json", str(tmp_path / "work")
    options = ["--systems", "arc-eager,swap", "--beam", "2", "--iterations", "1", "--work", work, "-q"]
    assert run(["study", "accuracy", str(folder), *options, "--json", str(out)]) == 0
    printed = capsys.readouterr()
    assert "uncrossed" in printed.out
    assert "paper" not in printed.out
    assert printed.err == ""
    assert len(json.loads(out.read_text(encoding="utf-8"))["rows"]) == 2
    assert run(["study", "accuracy", str(folder), "--systems", "swap+tail", "-q"]) == 1
    assert "encoding" in capsys.readouterr().err
    (folder / "Danish-Toy" / "dev.conllu").rename(folder / "Danish-Toy" / "away")
    assert run(["study", "accuracy", str(folder), *options]) == 1
    assert "holds no dev.conllu" in capsys.readouterr().err


def test_studies_in_notebooks():
    row = {"treebank": "A <b>", "las": 87.5}
    html = Study("Trees & more", [row], [Verdict("swap is slower", "no data", "")], ["Read it so."])._repr_html_()
    for text in ("<p>Trees &amp; more</p>", "<td>A &lt;b&gt;</td>", "87.50", "no data: swap is slower", "Read it so."):
        assert text in html
