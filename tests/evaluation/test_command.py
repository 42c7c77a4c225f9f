"""`fastparse evaluate`, from files to tables and JSON."""

import json

import pytest

from fastparse.cli import evaluate as command
from fastparse.cli.main import run
from fastparse.evaluation.comparison import CONVENTIONS
from fastparse.evaluation.report import BREAKDOWNS

from . import naive
from .examples import conllu, parse_of, random_trees


@pytest.fixture
def files(tmp_path):
    gold, _ = random_trees(5)
    parses = [parse_of(gold, 1, 0.1), parse_of(gold, 2, 0.4)]
    paths = [tmp_path / name for name in ("gold.conllu", "one.conllu", "two.conllu")]
    for path, trees in zip(paths, (gold, *parses), strict=True):
        path.write_text(conllu(trees), encoding="utf-8")
    return [*map(str, paths)], gold, parses


def test_the_breakdowns_are_all_offered():
    assert tuple(BREAKDOWNS) == command.BY
    assert tuple(CONVENTIONS) == command.CONVENTIONS


@pytest.mark.parametrize("convention", ["ud", "conllx", "all"])
def test_json(files, capsys, convention):
    (gold_path, one, two), gold, parses = files
    assert run(["evaluate", gold_path, one, "--against", two, "--json", "--convention", convention]) == 0
    document = json.loads(capsys.readouterr().out)
    for found, path, parse in ((document, one, parses[0]), (document["against"], two, parses[1])):
        expected = naive.scores(gold, parse, convention)
        assert {measure: found[measure] for measure in expected} == pytest.approx(expected)
        assert found["predicted"] == path
        assert tuple(found["breakdowns"]) == command.BY
    assert [test["measure"] for test in document["significance"]] == ["uas", "las"]
    assert document["significance"][0]["mcnemar"]["p"] < 0.05


def test_tables(files, capsys):
    (gold, one, two), *_ = files
    assert run(["evaluate", gold, one]) == 0
    assert "Convention ud" in capsys.readouterr().out
    assert run(["evaluate", gold, one, "--by", "crossing", "--by", "label", "--convention", "all"]) == 0
    text = capsys.readouterr().out
    assert "uncrossed" in text
    assert "By label (convention all)" in text
    assert run(["evaluate", gold, one, "--against", two, "--by", "all"]) == 0
    text = capsys.readouterr().out
    assert text.count("By projectivity") == 2
    assert "McNemar's exact test" in text


def test_files_that_do_not_match(files, capsys, tmp_path):
    (gold, *_), trees, _ = files
    other = tmp_path / "other.conllu"
    other.write_text(conllu(trees[:-1]), encoding="utf-8")
    assert run(["evaluate", gold, str(other), "--convention", "all"]) == 1
    message = capsys.readouterr().err
    assert "the gold treebank has 40 sentences, the parsed one 39" in message
    assert f"{gold}:" in message
    assert "(sent_id s40)" in message


def test_an_unknown_convention(capsys):
    with pytest.raises(SystemExit) as leaving:
        run(["evaluate", "a", "b", "--convention", "conll"])
    assert leaving.value.code == 2
