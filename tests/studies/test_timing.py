"""Times and transitions of trained models: rows of parse_file, counts by move, tables and commands."""

import json

import numpy as np
import pytest

import fastparse
from fastparse import Treebank
from fastparse.cli.main import run
from fastparse.studies import timing
from fastparse.studies.timing import time_study
from fastparse.studies.transitions import parsing_study
from fastparse.studies.treebanks import Source
from fastparse.transition_systems.registry import bound_of
from tests.toy import TOY, toy, toy_parser


@pytest.mark.parametrize(("system", "beam"), [("arc-eager", 1), ("two-registers", 4), ("swap", 4), ("easy-first", 1)])
def test_moves_add_up(system, beam):
    parser = toy_parser(system, beam=beam, iterations=1)
    parsed, work = parser.measure(toy())
    assert np.array_equal(parsed.heads, parser.parse(toy()).heads)
    assert np.array_equal(work.by_move.sum(axis=1), work.transitions)
    assert work.by_move.shape == (len(toy()), len(parser.moves))
    assert (work.nanoseconds > 0).all()
    assert np.array_equal(work.words, np.diff(toy().offsets))


@pytest.mark.parametrize(("system", "beam"), [("arc-eager", 1), ("two-registers", 4), ("swap", 4)])
def test_work_does_not_depend_on_threads(system, beam):
    parser = toy_parser(system, beam=beam, iterations=1)
    one, three = (parser.measure(toy(), threads=threads)[1] for threads in (1, 3))
    assert np.array_equal(one.by_move, three.by_move)


def test_moves_are_those_that_built_the_tree():
    """On trees the system has one derivation for, the oracle of the tree found has made the same moves."""
    parser = toy_parser("arc-standard", beam=4, iterations=1)
    parsed, work = parser.measure(toy())
    by_move = fastparse.count_transitions(parsed, "arc-standard", by_move=True)
    roots = np.add.reduceat(parsed.heads == 0, parsed.offsets[:-1])
    complete = (work.transitions == 2 * work.words) & (roots == 1) & (by_move >= 0).all(axis=1)
    assert complete.sum() > 10
    assert np.array_equal(work.by_move[complete], by_move[complete])


@pytest.mark.parametrize("threads", [1, 3])
def test_rows_of_a_file(tmp_path, threads):
    parser, stats = toy_parser("swap", beam=4), tmp_path / "stats.json"
    report = parser.parse_file(TOY, tmp_path / "out.conllu", 2, threads, stats=stats, batch_words=50)
    document = json.loads(stats.read_text(encoding="utf-8"))
    assert (document["words"], document["system"], document["beam"]) == (report.words, "swap", 2)
    rows = document["rows"]
    assert [row["words"] for row in rows] == np.diff(toy().offsets).tolist()
    assert [row["transitions"] for row in rows] == parser.measure(toy(), 2)[1].transitions.tolist()
    assert {(row["beam"], row["system"]) for row in rows} == {(2, "swap")}
    assert all(0 < row["nanoseconds"] < 10**10 for row in rows)


def test_rows_of_nothing(tmp_path):
    toy_parser().parse_file(b"", tmp_path / "out", stats=tmp_path / "stats")
    assert json.loads((tmp_path / "stats").read_text())["rows"] == []


def test_transitions_with_a_model():
    parsers = [toy_parser(system, beam=4, iterations=1) for system in ("swap", "two-registers")]
    study = parsing_study((Source("Danish-Toy", TOY), parser) for parser in parsers)
    for row, parser in zip(study.rows, parsers, strict=True):
        work = parser.measure(toy())[1]
        n, m = work.words.astype(float), work.transitions.astype(float)
        assert row["transitions"] == m.sum() == sum(row["moves"].values())
        assert row["moves/word"] == pytest.approx((n @ m) / (n @ n))
        assert row["below bound"] == (bound_of(parser.system).of(work.words) - work.transitions).min() >= 0
        assert row["options"] == {"beam": 4, "model": parser.sha256[:8]}
    assert [row["moves/word, paper"] for row in study.rows] == [2.07, None]
    assert study.verdicts[0].outcome == "reproduced"
    assert ["Danish" in verdict.contrast for verdict in study.verdicts] == [False, True]


def test_times(tmp_path):
    parser = toy_parser("arc-eager", beam=4)
    study = time_study([(Source("Toy", TOY), parser)], (None, 1), repeats=2)
    assert [(row["system"], row["beam"]) for row in study.rows] == [("arc-eager", 4), ("arc-eager", 1)]
    for row in study.rows:
        assert (row["sentences"], row["words"]) == (len(toy()), toy().n_words)
        total = sum(one["nanoseconds"] for one in row["rows"])
        assert row["us/word"] == pytest.approx(total / 1000 / toy().n_words)
        assert {"words", "transitions", "nanoseconds", "beam", "system"} == set(row["rows"][0])
        assert "rows" not in study.columns
    assert "warm-up" in study.text()
    assert "Looking at the clock takes" in study.text()


def test_instructions_are_left_out_visibly(monkeypatch):
    monkeypatch.setattr(timing, "instructions_reason", lambda: "there is no perf on this machine")
    study = time_study([(Source("Toy", TOY), toy_parser("arc-eager", beam=4))], (1,), repeats=1)
    assert not any("instructions" in name for name in study.columns)
    assert "Instructions are left out: there is no perf" in study.text()


def test_counts_of_perf():
    assert timing._counted("123456,,instructions:u,99,100.00,,\n") == 123456
    assert timing._counted("<not supported>,,instructions:u,0,100.00,,\n") is None


def test_an_exponent():
    n = np.array([5, 10, 20, 40])
    assert timing._exponent(n, 3 * n**2) == pytest.approx(2)
    assert timing._exponent(n[:1], n[:1]) is None


def test_the_commands(tmp_path, capsys):
    model, out = tmp_path / "toy.fp", tmp_path / "rows.json"
    toy_parser("swap", beam=4, iterations=1).save(model)
    assert run(["study", "transitions", str(TOY), "-m", str(model), "--json", str(out)]) == 0
    assert "with trained models" in capsys.readouterr().out
    assert json.loads(out.read_text(encoding="utf-8"))["rows"][0]["system"] == "swap"
    assert run(["study", "transitions", str(TOY), "-m", str(model), "--system", "swap"]) == 1
    assert "--system" in capsys.readouterr().err
    arguments = ["study", "time", str(TOY), "-m", str(model), "--beam", "1,4", "--repeats", "1", "--json", str(out)]
    assert run(arguments) == 0
    assert "us/word" in capsys.readouterr().out
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert [len(row["rows"]) for row in rows] == [len(toy())] * 2


def test_empty_sentences_take_nothing():
    bank = Treebank.from_columns(forms=[["a", "b"], [], ["c"]], upos=[["X", "X"], [], ["X"]])
    _, work = toy_parser("arc-eager", beam=4).measure(bank)
    assert work.transitions.tolist()[1] == work.nanoseconds.tolist()[1] == 0
