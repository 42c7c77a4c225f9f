"""`fastparse draw`, from files to pictures."""

import io
import re
from xml.etree import ElementTree

import pytest

from fastparse.cli.main import run
from fastparse.drawing.text import to_text
from fastparse.trees import crossing_intervals

from .examples import CROSSING, random_sentence

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
])  # fmt: skip
def test_refusals(treebank, capsys, arguments, message):
    assert run(["draw", treebank, *arguments]) == 1
    assert message in capsys.readouterr().err


def test_standard_input(treebank, capsys, monkeypatch):
    with open(treebank, "rb") as source:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(source.read())))
    assert run(["draw", "-", "--sentence", "1"]) == 0
    assert "▼" in capsys.readouterr().out
