"""Counts and lines against derivations made one by one."""

import json
import os
import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import fastparse
from fastparse import Treebank
from fastparse.cli.main import run
from fastparse.errors import OracleError
from fastparse.studies.transitions import CONTENDERS, fit, moves_of, transitions_study
from fastparse.studies.treebanks import sources
from fastparse.transition_systems.registry import bound_of

TREEBANKS = Path(os.environ.get("FASTPARSE_TREEBANKS", Path(__file__).parents[3] / "shared" / "data"))


def random_trees(count=60, longest=9):
    rng = random.Random(2)
    trees = []
    for _ in range(count):
        n = rng.randint(1, longest)
        order = rng.sample(range(1, n + 1), n)
        heads = [0] * n
        for place, word in enumerate(order[1:], 1):
            heads[word - 1] = rng.choice(order[:place][-2:])
        trees.append(heads)
    return trees


def source(heads, name="Danish"):
    treebank = Treebank.from_columns(forms=[["w"] * len(tree) for tree in heads], heads=heads)
    return SimpleNamespace(name=name, language=name, read=lambda: treebank)


@pytest.mark.parametrize(("system", "options"), [*CONTENDERS, ("covington", {}), ("attardi", {}), ("hybrid", {})])
def test_rows_are_what_derivations_say(system, options):
    heads = random_trees()
    (row,) = transitions_study([source(heads)], [(system, options)]).rows
    found = []
    for tree in heads:
        try:
            found.append((len(tree), fastparse.derive(tree, system, **options).moves))
        except OracleError:
            continue
    n, m = (np.array(column) for column in zip(*((n, len(moves)) for n, moves in found), strict=True))
    assert (row["trees"], row["in class"], row["words"]) == (len(heads), len(found), n.sum())
    assert row["transitions"] == m.sum() == sum(row["moves"].values())
    assert row["moves"] == {
        name: count for name in moves_of(system, options) if (count := sum(moves.count(name) for _, moves in found))
    }
    assert row["moves/word"] == pytest.approx(
        np.linalg.lstsq(n[:, None].astype(float), m.astype(float), rcond=None)[0][0]
    )
    assert row["most/word"] == pytest.approx((m / n).max())
    assert row["below bound"] == min(bound_of(system).of(a) - b for a, b in zip(n, m, strict=True)) >= 0


def test_lines():
    n = np.array([1, 2, 3, 10])
    assert fit(n, 3 * n) == (3.0, 1.0)
    slope, r2 = fit(n, np.array([2, 5, 5, 21]))
    assert slope == pytest.approx((2 + 10 + 15 + 210) / 114)
    residual = sum((m - slope * k) ** 2 for k, m in zip(n, (2, 5, 5, 21), strict=True))
    assert r2 == pytest.approx(1 - residual / np.var([2, 5, 5, 21]) / 4)
    assert fit(n[:0], n[:0]) == (0.0, None)
    assert fit(n[:1], n[:1]).r2 is None


def test_no_tree_in_the_class():
    (row,) = transitions_study([source([[3, 0, 2]])], [("arc-eager", {})]).rows
    shown = ("in class", "moves/word", "most/word", "below bound", "moves")
    assert [row[name] for name in shown] == [0, 0.0, None, None, {}]


def test_verdicts_without_data():
    """Claims on languages that are not there are left out."""
    outcomes = [verdict.outcome for verdict in transitions_study([source([[0]], "Elvish")]).verdicts]
    assert outcomes == ["reproduced"]
    outcomes = [verdict.outcome for verdict in transitions_study([source([[0]], "Danish")]).verdicts]
    assert len(outcomes) == 2


def test_latex():
    text = transitions_study([source([[2, 0, 2]], "A_b%")], [("swap", {"oracle": "eager"})]).latex()
    assert text.count("\\\n") == 2
    assert "R$^2$" in text
    assert "oracle:eager" in text
    assert "\\begin{tabular}" in text
    assert "SHIFT" not in text
    body = [line for line in text.splitlines() if " & " in line]
    assert len({line.count("&") for line in body}) == 1


@pytest.mark.treebanks
@pytest.mark.parametrize(("treebank", "a"), [("Arabic-PADT", 2.06), ("Danish-DDT", 2.22)])
def test_the_lines_of_the_paper_on_swap(treebank, a):
    if not (TREEBANKS / treebank).is_dir():
        pytest.skip(f"no {TREEBANKS / treebank}")
    study = transitions_study(sources([TREEBANKS / treebank]), [("swap", {"oracle": "eager"})])
    assert study.rows[0]["moves/word"] == pytest.approx(a, abs=0.05)
    assert study.rows[0]["moves/word, paper"] == a


def test_the_command(tmp_path, capsys):
    heads, path, out = random_trees(5), tmp_path / "own.conllu", tmp_path / "rows.json"
    words = [["w"] * len(tree) for tree in heads]
    Treebank.from_columns(forms=words, heads=heads, deprels=words).write(path)
    arguments = ["study", "transitions", str(path), "--system", "swap:eager", "--system", "covington"]
    assert run([*arguments, "--json", str(out)]) == 0
    assert "5(n + 1)" not in capsys.readouterr().out
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert [(row["system"], row["options"]) for row in rows] == [("swap", {"oracle": "eager"}), ("covington", {})]
    assert run(["study", "transitions", str(path), "--system", "no-such"]) == 1
    assert "no-such" in capsys.readouterr().err


@pytest.mark.parametrize("study", ["transitions", "classes"])
def test_plots(tmp_path, capsys, study):
    pytest.importorskip("matplotlib")
    heads, path = random_trees(5), tmp_path / "own.conllu"
    words = [["w"] * len(tree) for tree in heads]
    Treebank.from_columns(forms=words, heads=heads, deprels=words).write(path)
    plots = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for plot in plots:
        assert run(["study", study, str(path), "--plot", str(plot)]) == 0
    capsys.readouterr()
    assert plots[0].read_bytes() == plots[1].read_bytes()
    assert b"own" in plots[0].read_bytes()
