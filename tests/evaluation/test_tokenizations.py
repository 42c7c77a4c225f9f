"""Scores of parses with other tokens than the gold ones: against the official scorer, and against the definitions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastparse
from fastparse.evaluation.shared_task import MEASURES

from .tokenizations import conllu, pair

def official_scores(udeval, gold, other, folder):
    paths = folder / "gold.conllu", folder / "other.conllu"
    for path, sentences in zip(paths, (gold, other), strict=True):
        path.write_text(conllu(sentences), encoding="utf-8")
    return udeval.evaluate(*(udeval.load_conllu_file(str(path)) for path in paths))


@pytest.fixture(scope="module")
def udeval():
    return pytest.importorskip("udtools.udeval")


@pytest.mark.parametrize("seed", range(300))
def test_ud_equals_udeval(seed, udeval, tmp_path):
    gold, other = pair(seed)
    official = official_scores(udeval, gold, other, tmp_path)
    scores = fastparse.evaluate(tmp_path / "gold.conllu", tmp_path / "other.conllu")
    for name, (measure, count) in zip(MEASURES.values(), scores.counts, strict=True):
        expected = official[name]
        assert (count.right, count.gold, count.predicted) == (
            expected.correct, expected.gold_total, expected.system_total), name
        assert getattr(scores, measure) == pytest.approx(100 * expected.f1, abs=1e-9), name
        assert scores.precision[measure] == pytest.approx(100 * expected.precision, abs=1e-9), name
        assert scores.recall[measure] == pytest.approx(100 * expected.recall, abs=1e-9), name
