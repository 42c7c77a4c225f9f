"""What can be derived at all, over all reachable configurations: nothing outside the class, and all of it."""

from __future__ import annotations

import pytest

import fastparse
from fastparse.theory.configuration import Configuration
from fastparse.theory.exploration import Exploration, is_derivable
from fastparse.transition_systems.registry import ROWS, bound_of, systems
from tests.reference import SYSTEMS, TREE_CLASS
from tests.reference import graphs as g
from tests.reference.enumerate import complete_trees, reachable
from tests.reference.membership import COUNTS
from tests.transition_systems.cases import (
    candidate_graphs,
    case_id,
    graph_cases,
    graph_class,
    planar_graphs,
    size,
    tree_class,
    trees,
)

TREE_SYSTEMS = [name for name in TREE_CLASS if not ROWS[name].configuration]
WHOLE_SYSTEMS = [name for name in TREE_CLASS if not ROWS[name].no_models or not ROWS[name].configuration]


@pytest.mark.parametrize("name", TREE_SYSTEMS)
def test_derivable_trees_are_the_class(name):
    for n in range(1, SYSTEMS[name].up_to.reachable + 1):
        found = Exploration(name, n)
        assert found.trees == {heads for heads in trees(n) if tree_class(name)(heads)}
        assert len(found.trees) == size(name, n)
        assert found.n_unsound == 0
        assert 0 <= found.longest <= SYSTEMS[name].bound(n)


@pytest.mark.parametrize("name", WHOLE_SYSTEMS)
def test_search_for_one_tree_agrees(name):
    """Easy-first, whose moves have places, and Covington, which has no stacks, among them."""
    for n in range(1, 4):
        found = Exploration(name, n, ways=True)
        for heads in trees(n):
            derivable = tree_class(name)(heads)
            assert is_derivable(name, g.arcs_of(heads), n) == derivable
            if derivable:
                c = Configuration(name, n)
                for move in found.way_to(g.arcs_of(heads)):
                    c.apply(move)
                assert (c.is_final(), c.heads) == (True, list(heads))


def test_easy_first_is_explored():
    found = Exploration("easy-first", 4)
    assert found.trees == {heads for heads in trees(4) if g.is_projective(heads)}
    assert (found.n_configurations, found.n_dead_ends, found.n_unsound, found.longest) == (143, 0, 0, 4)


def test_a_pass_is_explored():
    """Word 2 hangs from the root; a pass to the left may put it under a word it has passed."""
    found = Exploration("three-step/right", 3, heads=[0, 1, 1], labels=["a", "b", "c"])
    expected = reachable("three-step/right", 3, heads=[0, 1, 1], labels=["a", "b", "c"])
    assert found.trees == complete_trees(expected)
    assert found.n_configurations == len(expected)


def test_what_cannot_be_explored():
    with pytest.raises(fastparse.Error, match="pipeline"):
        Exploration("three-step", 2)
    with pytest.raises(fastparse.Error, match="beyond final"):
        Exploration("easy-first", 2, beyond_final=True)
    with pytest.raises(fastparse.Error, match="no derivation"):
        Exploration("arc-eager", 3, ways=True).way_to([(0, 2), (3, 1), (2, 3)])
    assert not Exploration("swap", 4, most=100).whole
    assert Exploration("swap", 4).whole


@pytest.mark.parametrize("n", range(5))
def test_the_tree_constraint(n):
    """Whatever is done, arc-eager with UNSHIFT ends with a tree; without it words are left over."""
    assert all(len(arcs) == n for arcs in Exploration("arc-eager/unshift", n).final_arcs)
    assert Exploration("arc-eager/unshift", n).n_dead_ends == 0
    assert Exploration("arc-eager/unshift", n).longest == 4 * n
    assert n == 0 or any(len(arcs) < n for arcs in Exploration("arc-eager", n).final_arcs)


def test_planar_at_six_words():
    found = Exploration("planar", 6)
    assert found.trees == {heads for heads in trees(6) if g.is_projective(heads)}


@pytest.mark.parametrize("n", range(1, 6))
def test_no_tree_outside_is_2_planar_derivable(n):
    for heads in trees(n):
        if not tree_class("2-planar")(heads):
            assert not is_derivable("2-planar", g.arcs_of(heads), n)


@pytest.mark.slow
def test_no_tree_of_six_words_outside_is_2_planar_derivable():
    outside = [heads for heads in trees(6) if not tree_class("2-planar")(heads)]
    assert len(outside) == 16807 - 14371
    assert not any(is_derivable("2-planar", g.arcs_of(heads), 6) for heads in outside)


@pytest.mark.slow
def test_two_registers_at_seven_words():
    found = Exploration("two-registers", 7, beyond_final=True)
    expected = COUNTS["two_registers"]["7"]
    assert found.n_configurations == expected["reachable_configurations"]
    assert found.n_dead_ends == expected["dead_end_configurations"]
    assert found.longest == expected["longest_derivation"]
    assert len(found.trees) == COUNTS["classes"]["7"]["two_crossing_interval"]["any_root"]
    assert found.n_unsound == 0


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_figures_of_two_registers(n):
    found = Exploration("two-registers", n, beyond_final=True)
    expected = COUNTS["two_registers"][str(n)]
    assert found.n_configurations == expected["reachable_configurations"]
    assert found.n_dead_ends == expected["dead_end_configurations"]
    assert found.longest == expected["longest_derivation"] < 5 * (n + 1)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_figures_of_the_printed_two_registers(n):
    found = Exploration("two-registers/printed", n)
    members = {heads for heads in trees(n) if tree_class("two-registers")(heads)}
    expected = COUNTS["two_registers"][str(n)]["printed"]
    assert len(found.trees) == expected["derivable"]
    assert len(found.trees - members) == expected["unsound"]
    assert len(members - found.trees) == expected["missing"]


@pytest.mark.parametrize("n", range(1, 6))
def test_bounds(n):
    """The longest derivations of all, not only those of the oracles."""
    assert Exploration("arc-standard", n).longest == 2 * n
    assert Exploration("hybrid", n).longest == 2 * n
    assert Exploration("arc-standard/buffer", n).longest <= 2 * n
    assert Exploration("attardi", n).longest <= 2 * n
    assert Exploration("arc-eager", n).longest == 2 * n - 1
    assert Exploration("planar", n).longest == 3 * (n + 1) - 2
    assert Exploration("planar", n, root="absent").longest == 3 * n - 2
    assert Exploration("swap", n).longest == n + n * n
    assert Exploration("covington", n).longest <= n * (n + 1) // 2 + n


@pytest.mark.parametrize("name", [name for name in systems() if name in SYSTEMS and SYSTEMS[name].derives])
def test_stated_bounds(name):
    """The table says what the definitions do; of arc-eager, the round number that is printed."""
    for n in range(1, 9):
        assert 0 <= bound_of(name).of(n) - SYSTEMS[name].bound(n) <= (name == "arc-eager")


@pytest.mark.parametrize("n", range(2, 5))
def test_bound_of_2_planar(n):
    assert Exploration("2-planar", n, root="absent").longest == 8 * n - 6


@pytest.mark.parametrize("longest", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "options"), graph_cases(), ids=map(case_id, graph_cases()))
def test_derivable_graphs_are_the_class(name, options, longest):
    member, most = graph_class(name, options), SYSTEMS[name].up_to.reachable
    for n in [most] if longest else range(1, most):
        members = {arcs for arcs in candidate_graphs(name, n) if member(arcs, n)}
        assert Exploration(name, n, **options).final_arcs == members


@pytest.mark.parametrize("covered_roots", [True, False])
@pytest.mark.parametrize("acyclic", [True, False])
def test_forests_of_planar(acyclic, covered_roots):
    options = {"single_head": True, "acyclic": acyclic, "covered_roots": covered_roots}
    for n in range(1, 4):
        expected = {arcs for arcs in planar_graphs(n) if graph_class("planar", options)(arcs, n)}
        assert Exploration("planar", n, root="absent", **options).final_arcs == expected


@pytest.mark.parametrize("n", range(1, 5))
def test_number_of_directed_acyclic_graphs(n):
    assert len(Exploration("dag/arc-eager", n).final_arcs) == [1, 3, 17, 135][n - 1]


@pytest.mark.parametrize("name", ["dag/arc-standard", "dag/arc-eager"])
def test_directed_acyclic_graphs_of_five_words(name):
    assert len(Exploration(name, 5).final_arcs) == 1281


def test_directed_graphs_as_printed():
    """Cycles of two arcs come out of the one, longer ones of the other."""
    assert ((1, 2), (2, 1)) in Exploration("dag/arc-standard", 2, acyclic=False).final_arcs
    found = Exploration("dag/arc-eager", 3, acyclic=False).final_arcs
    assert len(found) == 19
    assert sum(not g.is_acyclic(arcs) for arcs in found) == 2
    assert all(g.has_no_two_cycle(arcs) for arcs in found)


@pytest.mark.slow
def test_planar_graphs_of_five_words():
    found = Exploration("planar/graph", 5).final_arcs
    assert all(g.is_planar(arcs) for arcs in found)
    assert max(map(len, found)) == 4 * 5 - 6


def test_bookkeeping_of_two_registers():
    """Covered flags equal spans over all arcs, wherever they decide: in T1 and CLEAR, by way of what is legal."""

    def check(c):
        one, two = c.registers
        covered = [any(min(arc) < register < max(arc) for arc in c.arcs) for register in (one, two)]
        legal = c.legal()
        lost = any(
            register >= 0 and spanned and (register == 0 or c.heads[register - 1] < 0)
            for register, spanned in zip((one, two), covered, strict=True)
        )
        assert not ("CLEAR" in legal and lost)
        if "CLEAR" in legal:
            after = c.copy()
            after.apply("CLEAR")
            kept = {*after.stack, *after.buffer}
            front = min(after.buffer, default=-1)
            for register, spanned in zip((one, two), covered, strict=True):
                if register >= 0 and register != front:
                    assert (register in kept) == (not spanned)

    for n in range(1, 6):
        Exploration("two-registers", n, visit=check)
