"""TikZ: what is said of each arc, and TeX's special characters; compiled where LaTeX is installed."""

import shutil
import subprocess
from types import SimpleNamespace

import pytest

from fastparse.drawing.tikz import escape, to_tikz

from .examples import CROSSING


def test_each_arc_once():
    lines = [line.strip() for line in to_tikz(CROSSING).split("\n")]
    red = "[edge style={red!70!black, thick}]"
    assert rf"\deproot{red}{{3}}{{root}}" in lines
    assert rf"\depedge{red}{{2}}{{5}}{{nmod}}" in lines
    assert r"\depedge{2}{1}{det}" in lines
    assert sum(line.startswith((r"\depedge", r"\deproot")) for line in lines) == 9
    assert sum(red in line for line in lines) == 4


def test_registers_are_boxed():
    assert r"\wordgroup{1}{4}{4}{register2}" in to_tikz(CROSSING, registers=(2, 4))
    assert "wordgroup" not in to_tikz(CROSSING, registers=(0,))


@pytest.mark.parametrize(("text", "escaped"), [
    ("50%", r"50\%"), ("a_b&c", r"a\_b\symbol{38}c"), ("\\x", r"\textbackslash{}x"), ("{~}", r"\{\textasciitilde{}\}"),
    ("#1^2$", r"\#1\textasciicircum{}2\$"), ("[x]", "{[}x{]}"), ("plain", "plain"),
])  # fmt: skip
def test_special_characters(text, escaped):
    assert escape(text) == escaped


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_document_compiles(tmp_path):
    found = subprocess.run(["kpsewhich", "tikz-dependency.sty"], capture_output=True, text=True, check=False)
    if not found.stdout.strip():
        pytest.skip("the LaTeX package tikz-dependency is not installed")
    odd = SimpleNamespace(
        forms=["[50%", "#1_x]", "{\\~^$&}", "<|>", '"'],
        heads=[3, 0, 2, 1, 2],
        deprels=["a_b", "root", "c:d", "_", "%"],
        sent_id=None,
    )
    for number, sentence in enumerate((CROSSING, odd)):
        source = tmp_path / f"{number}.tex"
        source.write_text(to_tikz(sentence, (1, 2), document=True), encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert run.returncode == 0, run.stdout[-2000:]
        assert source.with_suffix(".pdf").is_file()
