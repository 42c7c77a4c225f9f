"""Graphs in pictures, tables and spaCy."""

from __future__ import annotations

import pytest

import fastparse
from fastparse.cli.main import run
from fastparse.drawing.graph import enhanced_graph
from fastparse.drawing.svg import to_svg
from fastparse.drawing.text import to_page
from tests.graphs.examples import GAPPING, SHARED, TEXT, model


def test_a_word_may_have_several_arcs():
    sentence = fastparse.read_conllu(SHARED.encode())[0]
    graph = enhanced_graph(sentence)
    assert [(arc.head, arc.label) for arc in graph.arcs if arc.dependent == 1] == [(2, "nsubj"), (4, "nsubj")]
    assert to_svg(graph).count('<path class="arc') == len(sentence.graph)
    assert "obl:to" in to_page(graph)


def test_empty_nodes_are_collapsed():
    graph = enhanced_graph(fastparse.read_conllu(GAPPING.encode())[0])
    assert "conj:and>nsubj" in {arc.label for arc in graph.arcs}


def test_the_command_draws_graphs(tmp_path, capsys):
    path = tmp_path / "graphs.conllu"
    path.write_text(TEXT, encoding="utf-8")
    assert run(["draw", str(path), "--enhanced", "--sentence", "shared"]) == 0
    drawn = capsys.readouterr().out
    assert drawn.count("nsubj") == 2
    path.write_text(SHARED.replace("2:nsubj|4:nsubj", "_").replace("0:root", "_"), encoding="utf-8")
    assert run(["draw", str(path), "--enhanced", "--registers"]) == 1
    bare = fastparse.Treebank.from_columns(["Go"], heads=[0], deprels=["root"])
    with pytest.raises(fastparse.Error, match="DEPS is empty"):
        enhanced_graph(bare[0])


def test_derivations_of_graphs_are_stepped_through():
    sentence = fastparse.read_conllu(SHARED.encode())[0]
    derivation = fastparse.derive(sentence.graph, "2-planar/graph", n=len(sentence), root="token")
    assert derivation.end().labelled_arcs == sentence.graph
    assert len(derivation.table()) == len(derivation) + 1
    assert sum("->" in row[-1] for row in derivation.table()) == len(sentence.graph)


def test_spacy_has_the_column(tmp_path):
    spacy = pytest.importorskip("spacy")
    model().save(tmp_path / "model.fp")
    nlp = spacy.blank("xx")
    nlp.add_pipe("fastparse", config={"model": str(tmp_path / "model.fp"), "deps": "enhanced"})
    doc = nlp("She came and went to the sea")
    assert doc[1]._.deps == "0:root"
    assert all(":" in token._.deps for token in doc)
