"""ELAS and EULAS as the shared tasks measure them."""

from __future__ import annotations

import io
import random

import pytest

import fastparse
from tests.graphs.examples import TEXT, treebank

LABELS = ["nsubj", "nsubj:pass", "obl:in", "obl:of", "conj:and>nsubj", "conj>nsubj:pass"]


def disturbed(rng, bank):
    """The treebank with other arcs here and there."""
    cells = []
    for sentence in bank:
        for word, cell in enumerate(sentence.deps, 1):
            arcs = set(cell.split("|")) if "." not in cell else {f"2:{rng.choice(LABELS)}"}
            if rng.random() < 0.4:
                arcs.add(f"{rng.choice([0, *range(word + 1, len(sentence) + 1)])}:{rng.choice(LABELS)}")
            if rng.random() < 0.3 and len(arcs) > 1:
                arcs.pop()
            cells.append("|".join(sorted(arcs)))
    number = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    return bank.with_columns(deps=([number[cell] for cell in cells], list(number)))


def without_empty_nodes(bank):
    lines = bank.to_bytes().decode().split("\n")
    return "\n".join(line for line in lines if "." not in line.partition("\t")[0])


@pytest.mark.parametrize("seed", range(8))
def test_equal_to_udeval(seed):
    udeval = pytest.importorskip("udtools.udeval")
    rng = random.Random(seed)
    gold, other = disturbed(rng, treebank()), disturbed(rng, treebank())
    sides = (udeval.load_conllu(io.StringIO(without_empty_nodes(side)), "", {}) for side in (gold, other))
    official = udeval.evaluate(*sides)
    scores = fastparse.evaluate(gold, other)
    assert scores.elas == pytest.approx(100 * official["ELAS"].f1)
    assert scores.eulas == pytest.approx(100 * official["EULAS"].f1)


def test_exact_graphs_and_arcs():
    gold = treebank()
    scores = fastparse.evaluate(gold, gold)
    assert (scores.elas, scores.eulas, scores.graph_arcs, scores.graph_exact) == (100, 100, 100, 100)
    worse = fastparse.read_conllu((TEXT * 6).replace("2:nsubj|4:nsubj", "2:nsubj").replace("obl:in", "obl").encode())
    scores = fastparse.evaluate(gold, worse)
    assert scores.graph_exact == 50
    assert scores.elas < scores.eulas == scores.graph_arcs < 100
    assert "ELAS" in scores.table()


def test_without_graphs_there_are_no_scores():
    gold = treebank()
    blank = gold.with_columns(deps=([0] * gold.n_words, ["_"]))
    wrong = gold.with_columns(deps=([0] * gold.n_words, ["99:dep"]))
    for other in (blank, wrong):
        scores = fastparse.evaluate(gold, other)
        assert scores.elas is scores.eulas is None
        assert "elas" not in scores.to_dict()
        assert scores.las == 100
