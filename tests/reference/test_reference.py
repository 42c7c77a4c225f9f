"""The textbook systems against the numbers that every implementation must reproduce, for small n."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from itertools import product
from typing import Any

import pytest

from tests.reference import SYSTEMS, TREE_CLASS, Configuration
from tests.reference import graphs as g
from tests.reference.base import System
from tests.reference.enumerate import (
    all_digraphs,
    all_forests,
    all_trees,
    complete_trees,
    dead_ends,
    enabled,
    final_graphs,
    longest_derivation,
    reachable,
    reachable_from,
)
from tests.reference.membership import COUNTS, Heads, two_crossing_interval
from tests.reference.systems.two_registers import TwoRegisters, TwoRegistersPrinted

# Systems that build trees from the beginning: the passes start with anchors.
# Those with so many configurations that they take four seconds, five of k-planar's words a minute and a half.
MANY = [("two-registers", 5), ("k-planar", 4), ("k-planar", 5)]
WHOLE = [name for name in TREE_CLASS if not name.startswith("three-step/")]


def trees(n: int, belongs: Callable[[Heads], bool]) -> set[tuple[int, ...]]:
    return {tuple(heads) for heads in all_trees(n) if belongs(heads)}


def walk(system: System, rng: random.Random) -> None:
    while system.legal():
        system.apply(rng.choice(system.legal()))


class TestOutputs:
    """What can be derived, over all reachable configurations."""

    @pytest.mark.parametrize(
        ("name", "n"),
        [
            pytest.param(name, n, marks=pytest.mark.slow if (name, n) in MANY else ())
            for name in WHOLE
            for n in range(1, 5 if name == "2-planar" else 6)
        ],
    )
    def test_complete_trees(self, name: str, n: int) -> None:
        assert complete_trees(reachable(name, n)) == trees(n, TREE_CLASS[name])

    @pytest.mark.parametrize("n", range(1, 6))
    def test_planar_forests(self, n: int) -> None:
        forests = [tuple(g.arcs_of(heads)) for heads in all_forests(n)]
        planar = {arcs for arcs in forests if g.is_planar(arcs)}
        assert final_graphs(reachable("planar", n, root="absent")) == planar
        projective = {arcs for arcs in planar if g.has_no_covered_root(arcs, n)}
        assert final_graphs(reachable("planar", n, root="absent", covered_roots=False)) == projective

    @pytest.mark.parametrize("n", range(1, 5))
    def test_two_planar_forests(self, n: int) -> None:
        found = final_graphs(reachable("2-planar", n, root="absent"))
        assert found == {tuple(arcs) for arcs in map(g.arcs_of, all_forests(n)) if g.is_k_planar(arcs, 2)}

    @pytest.mark.parametrize("n", range(1, 5))
    @pytest.mark.parametrize(("single", "acyclic", "covered"), list(product((True, False), repeat=3)))
    def test_planar_graphs(self, single: bool, acyclic: bool, covered: bool, n: int) -> None:
        options = {"single_head": single, "acyclic": acyclic, "covered_roots": covered}
        expected = {
            graph
            for graph in all_digraphs(n)
            if g.is_planar(graph)
            and (not single or g.is_single_head(graph))
            and (not acyclic or g.is_acyclic(graph))
            and (covered or g.has_no_covered_root(graph, n))
        }
        found = reachable("planar/graph", n, **options)
        assert final_graphs(found) == expected
        assert final_graphs(reachable("planar", n, root="absent", **options)) == expected

    @pytest.mark.parametrize("n", range(1, 5))
    def test_dags(self, n: int) -> None:
        expected = COUNTS["forests_and_graphs"]
        eager = final_graphs(reachable("dag/arc-eager", n))
        assert eager == final_graphs(reachable("dag/arc-standard", n))
        assert eager == {
            graph
            for graph in all_digraphs(n)
            if g.is_planar(graph) and g.is_acyclic(graph) and g.has_no_covered_root(graph, n)
        }
        printed = final_graphs(reachable("dag/arc-eager", n, acyclic=False))
        assert len(printed) == expected["planar_no_covered_roots_no_2cycles(=DAG arc-eager as printed)"][str(n)]
        printed = final_graphs(reachable("dag/arc-standard", n, acyclic=False))
        assert len(printed) == expected["DAG arc-standard as printed"][str(n)]

    def test_dags_of_five_words(self) -> None:
        expected = COUNTS["forests_and_graphs"]
        found = final_graphs(reachable("dag/arc-eager", 5))
        assert len(found) == expected["planar_no_covered_roots_dags(=both DAG systems with a directed-cycle test)"]["5"]

    @pytest.mark.parametrize(
        ("name", "up_to", "bound"),
        [
            ("arc-standard", 5, lambda n: 2 * n),
            ("arc-standard/buffer", 5, lambda n: 2 * n),
            ("hybrid", 5, lambda n: 2 * n),
            ("attardi", 5, lambda n: 2 * n),
            ("easy-first", 5, lambda n: n),
            ("arc-eager", 5, lambda n: 2 * n - 1),
            ("covington", 5, lambda n: n * (n + 1) // 2 + n),
            ("planar", 4, lambda n: 3 * (n + 1) - 2),
            ("2-planar", 3, lambda n: 8 * (n + 1) - 6),
            ("swap", 4, lambda n: n + n * n),
        ],
    )
    def test_longest_derivation(self, name: str, up_to: int, bound: Callable[[int], int]) -> None:
        for n in range(1, up_to + 1):
            assert longest_derivation(reachable(name, n))[Configuration(name, n).key()] == bound(n)


class TestTwoRegisters:
    @staticmethod
    def with_lock_once(configuration: System) -> Hashable:
        assert isinstance(configuration, TwoRegisters)
        return (configuration.key(), configuration.lock_once)

    @pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
    def test_reachable_configurations(self, n: int) -> None:
        """The published numbers let tokens be popped after the end, and keep the lock at a token since popped."""
        expected = COUNTS["two_registers"][str(n)]
        start = Configuration("two-registers", n)
        found = reachable_from(start, enabled, self.with_lock_once)
        assert len(found) == expected["reachable_configurations"]
        assert len(dead_ends(found)) == expected["dead_end_configurations"]
        if n < 5:
            longest = longest_derivation(found, enabled, self.with_lock_once)
            assert longest[self.with_lock_once(start)] == expected["longest_derivation"]
        for each in found.values():
            assert "SHIFT" in enabled(each) or not each.buffer  # type: ignore[attr-defined]

    @pytest.mark.parametrize("n", range(1, 5))
    def test_both_readings_of_the_lock_forbid_the_same(self, n: int) -> None:
        class LockOnce(TwoRegisters):
            lock = TwoRegisters.lock_once

        for each in reachable("two-registers", n).values():
            other = each.copy()
            other.__class__ = LockOnce
            assert each.legal() == other.legal()

    @pytest.mark.parametrize("n", range(1, 5))
    def test_printed_form(self, n: int) -> None:
        derivable = complete_trees(reachable("two-registers/printed", n))
        members = trees(n, two_crossing_interval)
        sizes = {"derivable": len(derivable), "unsound": len(derivable - members), "missing": len(members - derivable)}
        assert sizes == COUNTS["two_registers"][str(n)]["printed"]

    @pytest.mark.slow
    def test_printed_form_goes_wrong_where_stated(self) -> None:
        derivable = complete_trees(reachable("two-registers/printed", 5))
        members = trees(5, two_crossing_interval)
        assert len(derivable) == COUNTS["two_registers"]["5"]["printed"]["derivable"]
        assert derivable - members == {(3, 5, 2, 1, 0), (3, 4, 2, 0, 1)}
        assert members - derivable == {(2, 5, 5, 1, 0), (3, 5, 5, 1, 0), (2, 4, 1, 0, 1), (3, 4, 4, 0, 1)}

    @pytest.mark.parametrize("n", [4, pytest.param(5, marks=pytest.mark.slow)])
    def test_without_lock(self, n: int) -> None:
        class WithoutLock(TwoRegisters):
            lock = TwoRegistersPrinted.lock

            def undisturbed(self, k: int) -> bool:
                right = max(self.registers)
                return super().undisturbed(k) and (self.s2 < right)

        found = complete_trees(reachable_from(WithoutLock(n)))
        assert found == trees(n, two_crossing_interval)


class TestSurface:
    @pytest.mark.parametrize("name", SYSTEMS)
    @pytest.mark.parametrize("seed", range(5))
    def test_walks_end_and_copies_are_independent(self, name: str, seed: int) -> None:
        rng = random.Random(seed)
        here = Configuration(name, 6)
        while here.legal():
            before, copy = here.key(), here.copy()
            assert copy.key() == before
            assert here.legal() == [move for move in here.table if move in here.legal()]
            walk(copy, rng)
            assert here.key() == before
            here.apply(rng.choice(here.legal()))
        if not here.graph:
            assert len(here.heads) == len(here.deprels) == 6

    @pytest.mark.parametrize("name", SYSTEMS)
    def test_no_dead_ends_but_of_registers(self, name: str) -> None:
        assert bool(dead_ends(reachable(name, 3))) == ("-registers" in name)

    @pytest.mark.parametrize("name", SYSTEMS)
    def test_illegal_moves_change_nothing(self, name: str) -> None:
        here = Configuration(name, 3)
        before = here.key()
        for move in ("", "JUMP", "SHIFT:label", "LEFT-ARC:", *set(here.table) - set(here.legal())):
            with pytest.raises(ValueError, match="not legal"):
                here.apply(move)
        assert here.key() == before

    @pytest.mark.parametrize("n", [0, 1])
    @pytest.mark.parametrize("name", SYSTEMS)
    def test_tiny_sentences(self, name: str, n: int) -> None:
        found = reachable(name, n)
        assert any(each.is_final() for each in found.values())

    @pytest.mark.parametrize("options", [{"root": "nowhere"}, {"colour": 1}])
    def test_options_are_checked(self, options: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="planar"):
            Configuration("planar", 3, **options)

    def test_unknown_system(self) -> None:
        with pytest.raises(ValueError, match="unknown system 'arc-lazy'"):
            Configuration("arc-lazy", 3)

    @pytest.mark.parametrize("name", ["planar/graph", "dag/arc-eager", "dag/arc-standard"])
    def test_graphs_have_no_heads(self, name: str) -> None:
        for attribute in ("heads", "deprels"):
            with pytest.raises(AttributeError):
                getattr(Configuration(name, 2), attribute)
