"""Classes of trees and graphs by definition against the numbers that every implementation must reproduce."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.reference import graphs as g
from tests.reference.enumerate import all_digraphs, all_forests, all_planar_digraphs, all_trees
from tests.reference.membership import CLASSES, COUNTS, COVERAGE, Heads, two_crossing_interval, two_planar


class TestClasses:
    @pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
    @pytest.mark.parametrize(
        ("source", "name", "belongs"),
        [("classes", *item) for item in CLASSES.items()]
        + [("systems", *item) for item in COVERAGE.items() if item[0] in COUNTS["systems"]["1"]],
    )
    def test_size(self, source: str, name: str, belongs: Callable[[Heads], bool], n: int) -> None:
        members = [heads for heads in all_trees(n) if belongs(heads)]
        single = sum(heads.count(0) == 1 for heads in members)
        assert {"any_root": len(members), "single_root": single} == COUNTS[source][str(n)][name]

    @pytest.mark.parametrize("n", range(1, 7))
    def test_forests(self, n: int) -> None:
        forests = [g.arcs_of(heads) for heads in all_forests(n)]
        sizes = {
            "forests": len(forests),
            "projective_forests": sum(g.is_planar(a) and g.has_no_covered_root(a, n) for a in forests),
            "planar_forests": sum(g.is_planar(a) for a in forests),
            "two_planar_forests": sum(g.is_k_planar(a, 2) for a in forests),
        }
        assert sizes == {name: COUNTS["forests_and_graphs"][name][str(n)] for name in sizes}

    @pytest.mark.parametrize("n", range(1, 5))
    def test_planar_graphs_are_those_without_crossing_arcs(self, n: int) -> None:
        assert list(all_planar_digraphs(n)) == [graph for graph in all_digraphs(n) if g.is_planar(graph)]

    @pytest.mark.parametrize("n", range(1, 5))
    def test_planar_graphs(self, n: int) -> None:
        planar = [graph for graph in all_digraphs(n) if g.is_planar(graph)]
        rootless = [graph for graph in planar if g.has_no_covered_root(graph, n)]
        sizes = {
            "planar_digraphs": len(planar),
            "planar_single_head": sum(map(g.is_single_head, planar)),
            "planar_no_undirected_cycle": sum(map(g.has_no_undirected_cycle, planar)),
            "planar_dags": sum(map(g.is_acyclic, planar)),
            "planar_no_covered_roots": len(rootless),
            "planar_no_covered_roots_no_2cycles(=DAG arc-eager as printed)": sum(map(g.has_no_two_cycle, rootless)),
            "planar_no_covered_roots_dags(=both DAG systems with a directed-cycle test)": sum(
                map(g.is_acyclic, rootless)
            ),
        }
        assert sizes == {name: COUNTS["forests_and_graphs"][name][str(n)] for name in sizes}

    @pytest.mark.parametrize("n", range(1, 6))
    def test_inclusions(self, n: int) -> None:
        for heads in all_trees(n):
            degree = g.crossing_interval(heads)
            assert degree != 1
            assert (degree == 0) == g.is_projective(heads) == g.is_planar(g.arcs_of(heads))
            assert (degree == 0) == (g.gap_degree(heads) == 0) == (g.edge_degree(heads) == 0)
            assert degree > 2 or g.is_one_endpoint_crossing(heads)
            assert not g.is_one_endpoint_crossing(heads) or two_planar(heads)

    def test_the_second_condition_on_pairs_matters(self) -> None:
        heads = next(each for each in all_trees(4) if not two_crossing_interval(each))
        assert any(g.reaches_beyond_head(heads, word) for word in range(1, 5))
