"""`fastparse draw`, from files to pictures."""

import io
import json
import re
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from fastparse.cli.main import run
from fastparse.drawing import DERIVATIONS, FORMATS, Format
from fastparse.drawing.displacy import to_displacy
from fastparse.drawing.layout import cells
from fastparse.drawing.text import to_text
from fastparse.trees import crossing_intervals

from .examples import CROSSING, random_sentence

CROSSING_WITH_TAGS = SimpleNamespace(**{**vars(CROSSING), "upos": ["X"] * 9})
PATH = "{http://www.w3.org/2000/svg}path"


@pytest.fixture
def treebank(tmp_path):
    sentences = [CROSSING, random_sentence(3)]
    blocks = []
    for name, sentence in zip(("hearing", "random"), sentences, strict=True):
        rows = enumerate(zip(sentence.forms, sentence.heads, sentence.deprels, strict=True), 1)
        lines = [f"{n}\t{form}\t_\tX\t_\t_\t{head}\t{label or 'x'}\t_\t_" for n, (form, head, label) in rows]
        blocks.append("\n".join([f"# sent_id = {name}", *lines]) + "\n\n")
    path = tmp_path / "two.conllu"
    path.write_text("".join(blocks), encoding="utf-8")
    return str(path)


def test_text_of_all_sentences(treebank, capsys):
    assert run(["draw", treebank]) == 0
    first, second = capsys.readouterr().out.split("\n\n")
    assert first == "# hearing\n" + to_text(CROSSING)
    assert second.startswith("# random\n")


@pytest.mark.parametrize("heads", [(0, 1), ("_", 1), ()])
def test_trees_that_are_there_are_not_parsed_again(heads, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("fastparse.parser.load", lambda model: pytest.fail("a model was opened"))
    path = tmp_path / "two.conllu"
    path.write_text("".join(f"{n}\tw\t_\t_\t_\t_\t{head}\tlabel\t_\t_\n" for n, head in enumerate(heads, 1)) + "\n")
    run(["draw", str(path)])
    assert ("label" in capsys.readouterr().out) is bool(heads)


@pytest.mark.parametrize("wanted", ["1", "hearing"])
def test_one_sentence_by_number_or_id(treebank, tmp_path, wanted):
    out = tmp_path / "tree.svg"
    assert run(["draw", treebank, "--sentence", wanted, "-o", str(out)]) == 0
    assert len(list(ElementTree.parse(out).iter(PATH))) == 9


def test_a_folder_of_pictures(treebank, tmp_path):
    assert run(["draw", treebank, "--format", "svg", "-o", f"{tmp_path}/pictures/"]) == 0
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["1.svg", "2.svg"]
    for path in (tmp_path / "pictures").iterdir():
        ElementTree.parse(path)


def test_tikz(treebank, tmp_path, capsys):
    assert run(["draw", treebank, "--format", "tikz"]) == 0
    assert capsys.readouterr().out.count(r"\begin{dependency}") == 2
    out = tmp_path / "tree.tex"
    assert run(["draw", treebank, "--sentence", "2", "-o", str(out), "--document"]) == 0
    assert out.read_text(encoding="utf-8").startswith(r"\documentclass")


def test_registers_of_the_crossing_intervals(tmp_path, capsys):
    path = tmp_path / "one.conllu"
    rows = [f"{n}\tw\t_\tX\t_\t_\t{head}\tx\t_\t_" for n, head in enumerate([3, 0, 2, 3, 4], 1)]
    path.write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    (pair,) = (pairs[0] for _, _, pairs in crossing_intervals([3, 0, 2, 3, 4]))
    assert run(["draw", str(path), "--registers"]) == 0
    assert capsys.readouterr().out.rstrip().split("\n")[-1].split() == ["R1", "R2"]
    assert run(["draw", str(path), "--registers", "--format", "svg"]) == 0
    marked = re.findall(r'"word register" data-word="(\d+)"', capsys.readouterr().out)
    assert tuple(map(int, marked)) == pair


@pytest.mark.parametrize(("arguments", "message"), [
    (["--format", "svg"], "choose one with --sentence"),
    (["--sentence", "3"], "a number from 1 to 2"),
    (["--sentence", "nobody"], "no sentence 'nobody'"),
    (["--document"], "--format tikz"),
    (["--registers", "--format", "displacy"], "--registers goes with --format text or svg or tikz"),
    (["-o", "tree.png"], "use .txt, .svg, .tex, .jsonl"),
])  # fmt: skip
def test_refusals(treebank, capsys, arguments, message):
    assert run(["draw", treebank, *arguments]) == 1
    assert message in capsys.readouterr().err


def test_standard_input(treebank, capsys, monkeypatch):
    with open(treebank, "rb") as source:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(source.read())))
    assert run(["draw", "-", "--sentence", "1"]) == 0
    assert "▼" in capsys.readouterr().out


def test_displacy(treebank, capsys):
    assert run(["draw", treebank, "--format", "displacy"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["arcs"] == to_displacy(CROSSING_WITH_TAGS)["arcs"]
    assert [word["tag"] for word in second["words"]] == ["X"] * len(second["words"])


def test_a_format_is_a_row_of_the_table(treebank, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(FORMATS, "length", Format("length", ".n", "tests.drawing.test_command:length"))
    assert run(["draw", treebank, "--format", "length", "--sentence", "1"]) == 0
    assert capsys.readouterr().out == "9\n"
    assert run(["draw", treebank, "-o", str(tmp_path / "all.n")]) == 0
    assert (tmp_path / "all.n").read_text().startswith("9\n")


def length(sentence):
    return f"{len(sentence)}\n"


def test_every_format_of_the_table_draws(treebank):
    from fastparse import derive, read_conllu

    sentence = read_conllu(treebank)[0]
    for one in FORMATS.values():
        assert one.draw(sentence, **one.page)
    derivation = derive([2, 0, 2], "arc-standard")
    assert all(one.draw(derivation, ["a", "b", "c"], "x") for one in DERIVATIONS.values())
    suffixes = [one.suffix for one in (*FORMATS.values(), *DERIVATIONS.values())]
    assert len(suffixes) == len(set(suffixes))


def test_trees_fit_the_terminal(treebank, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert run(["draw", treebank]) == 0
    piped = capsys.readouterr().out
    assert max(map(cells, piped.splitlines())) > 40
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["draw", treebank]) == 0
    shown = capsys.readouterr().out
    assert max(map(cells, shown.splitlines())) <= 40
    assert shown.count("▼") == piped.count("▼")
    assert run(["draw", treebank, "-o", str(tmp_path / "all.txt")]) == 0
    assert (tmp_path / "all.txt").read_text(encoding="utf-8") == piped


def test_derivations_fit_the_terminal(treebank, capsys, monkeypatch):
    arguments = ["derive", treebank, "--system", "swap", "--sentence", "1"]
    monkeypatch.setenv("COLUMNS", "60")
    for more in ([], ["--moves"]):
        assert run([*arguments, *more]) == 0
        piped = capsys.readouterr().out
        assert max(map(cells, piped.splitlines())) > 60
        with monkeypatch.context() as terminal:
            terminal.setattr(sys.stdout, "isatty", lambda: True)
            assert run([*arguments, *more]) == 0
        shown = capsys.readouterr().out
        assert max(map(cells, shown.splitlines())) <= 60
        assert sorted("".join(shown.split()).replace("#", "")) == sorted("".join(piped.split()).replace("#", ""))
