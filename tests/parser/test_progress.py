"""Bars of tqdm, and functions in their place."""

from __future__ import annotations

import io
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

import fastparse
from fastparse import Treebank
from tests.tagger.models import tagging
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
    fastparse.train(toy(), "arc-eager", beam=1, iterations=1, components=("parser",), progress=True, encoder=None)
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


def texts(model, reports):
    text = f"He reads {'x' * 500}.\n\n" * 300  # two parts of 120,000 bytes
    return model.parse_text(text, progress=reports.append), model.parse_text(text)


def tags(model, reports):
    return model.tag(bare(), progress=reports.append), model.tag(bare())


def treebanks(model, reports):
    return model.parse(bare(), progress=reports.append), model.parse(bare())


def bare():
    return Treebank.from_columns([list(sentence.forms) for sentence in toy()])


@pytest.mark.parametrize("run", [texts, tags, treebanks])
def test_reports_change_nothing(run, monkeypatch):
    monkeypatch.setattr("fastparse.annotate.counted._WORDS_AT_A_TIME", 60)
    seen, begun = [], time.perf_counter()
    with_reports, without = run(tagging(), Copies(seen))
    assert with_reports.to_bytes() == without.to_bytes()
    words = [report.words for report in seen]
    assert len(seen) > 1
    assert words == sorted(set(words))
    assert words[-1] == without.n_words
    assert seen[-1].share == pytest.approx(1)
    assert seen[-1].sentences == len(without)
    assert 0 < seen[-1].seconds <= time.perf_counter() - begun


class Copies:
    """Keeps reports as they were when they came."""

    def __init__(self, kept):
        self.kept = kept

    def append(self, report):
        self.kept.append(replace(report))


def test_what_was_replaced_before_comes_through_parts(monkeypatch):
    monkeypatch.setattr("fastparse.annotate.counted._WORDS_AT_A_TIME", 60)
    tagged = tagging().tag(bare())
    again = tagging().parse(tagged, retag=True, progress=lambda report: None)
    assert again.to_bytes() == tagging().parse(tagged, retag=True).to_bytes()
    unlabelled = bare().with_heads(bare().heads, np.full(bare().n_words, -1), [])
    assert tagging().tag(unlabelled, progress=lambda report: None).to_bytes() == tagging().tag(unlabelled).to_bytes()
    empty = Treebank.from_columns([])
    assert len(tagging().parse(empty, progress=lambda report: None)) == 0


def test_documents_are_told_of_one_by_one():
    seen = []
    texts = ["He reads.", "", "U.S. books don't!"]
    found = list(tagging().parse_text(texts, progress=lambda report: seen.append(report.words)))
    assert seen == [3, 3, sum(document.n_words for document in found)]


def test_objects_are_told_of_batch_by_batch():
    seen = []
    sentences = [["He", "reads"]] * 2500
    list(tagging().parse(sentences, progress=lambda report: seen.append(report.sentences)))
    assert len(seen) > 1
    assert seen[-1] == 2500


def test_a_bar_knows_how_much_there_is(monkeypatch):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    monkeypatch.setattr("fastparse.progress._SECONDS_BEFORE", 0)
    monkeypatch.setattr("fastparse.annotate.counted._WORDS_AT_A_TIME", 60)
    monkeypatch.setattr(sys, "stderr", Terminal())
    toy_parser().parse(toy(), progress=True)
    assert "100%" in sys.stderr.getvalue()
