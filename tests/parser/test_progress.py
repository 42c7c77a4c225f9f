"""Bars of tqdm, and functions in their place."""

from __future__ import annotations

import io
import sys

import pytest

import fastparse
from tests.toy import TOY, toy, toy_parser


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_shown_after_a_while(monkeypatch, tmp_path):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    monkeypatch.setattr("fastparse.progress._SECONDS_BEFORE", 0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    toy_parser().parse_file(TOY, tmp_path / "out", progress=True, batch_words=10)
    assert " words" in sys.stderr.getvalue()


def test_nothing_is_shown_of_what_is_quick_or_goes_to_a_file(capsys, tmp_path):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    toy_parser().parse_file(TOY, tmp_path / "out", progress=True)
    fastparse.train(toy(), "arc-eager", beam=1, iterations=1, components=("parser",), progress=True)
    assert capsys.readouterr().err == ""


def test_without_tqdm(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(fastparse.Error, match="pip install tqdm"):
        toy_parser().parse_file(TOY, tmp_path / "out", progress=True)


def test_functions(tmp_path):
    reports = []
    toy_parser().parse_file(TOY, tmp_path / "out", progress=lambda report: reports.append(report.words), batch_words=10)
    assert reports[-1] == toy().n_words
    toy_parser().parse_file(TOY, tmp_path / "out", progress=False)
