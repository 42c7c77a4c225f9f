"""The column DEPS: graphs of sentences, and graphs of words alone."""

from __future__ import annotations

import pytest

import fastparse
from fastparse.corpus.graphs import collapsed_graphs
from tests.graphs.examples import GAPPING, SHARED, TEXT


def bank(text):
    return fastparse.read_conllu(text.encode())


def test_the_graph_of_a_sentence():
    assert bank(SHARED)[0].graph == [
        (0, 2, "root"), (2, 1, "nsubj"), (2, 4, "conj:and"), (4, 1, "nsubj"), (4, 3, "cc"), (4, 7, "obl:to"),
        (7, 5, "case"), (7, 6, "det"),
    ]  # fmt: skip


def test_empty_nodes_are_named():
    graph = bank(GAPPING)[0].graph
    assert (2, "5.1", "conj:and") in graph
    assert ("5.1", 6, "obj") in graph
    assert graph == sorted(graph, key=lambda arc: [float(arc[0]), float(arc[1]), arc[2]])


def test_empty_nodes_are_collapsed_into_paths():
    graphs = collapsed_graphs(bank(TEXT))
    rows = zip(graphs.heads.tolist(), graphs.dependents.tolist(), [graphs.names[i] for i in graphs.labels], strict=True)
    of_gapping = list(rows)[graphs.offsets[2] : graphs.offsets[3]]
    assert of_gapping == [
        (2, 1, "nsubj"), (0, 2, "root"), (2, 3, "obj"), (2, 4, "conj:and>cc"), (2, 5, "conj:and>nsubj"),
        (2, 6, "conj:and>obj"),
    ]  # fmt: skip


def test_paths_through_several_empty_nodes():
    text = GAPPING.replace("\t2:conj:and\t", "\t2:conj|5.2:dep\t").replace(
        "6\tmilk", "5.2\tx\tx\tX\t_\t_\t_\t_\t3:appos|5.1:dep\t_\n6\tmilk"
    )
    graphs = collapsed_graphs(bank(text))
    found = {(int(h), graphs.names[i]) for h, d, i in zip(*graphs[1:4], strict=True) if d == 6}
    assert found == {(2, "conj>obj"), (3, "appos>dep>obj")}


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("2", "no head with a label"),
        ("x:nsubj", "no head"),
        ("2:", "no head"),
        ("9:nsubj", "has the head 9"),
        ("1:nsubj", "has the head 1"),
    ],
)
def test_what_is_no_graph_is_explained(cell, problem):
    wrong = bank(SHARED.replace("2:nsubj|4:nsubj", cell))
    with pytest.raises(fastparse.ConlluError, match=problem):
        collapsed_graphs(wrong)


def test_files_stay_byte_for_byte():
    treebank = bank(TEXT)
    assert treebank.to_bytes() == TEXT.encode()
    graphs = [sentence.graph for sentence in treebank]
    again = treebank.with_columns(deps=(treebank.ids("deps"), treebank.table("deps")))
    assert again.to_bytes() == TEXT.encode()
    assert [sentence.graph for sentence in again] == graphs
