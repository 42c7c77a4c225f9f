"""Oracles on every tree: those of the class are built, all others refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import fastparse
from fastparse.transition_systems.registry import ROWS, systems
from tests.reference import graphs as g
from tests.reference.membership import COUNTS, TREE_CLASS
from tests.reference.oracles import derive as plain_derive
from tests.transition_systems.cases import graph_class, planar_graphs, tree_class, trees

VARIANTS = [(name, oracle) for name in TREE_CLASS for oracle in ROWS[name].oracle_options.get("oracle", (None,))]
MOST = {name: 5 if name in ("swap", "covington", "easy-first") else 6 for name in TREE_CLASS}
BOUNDS = {
    "arc-standard": lambda n: 2 * n,
    "arc-standard/buffer": lambda n: 2 * n,
    "arc-eager": lambda n: 2 * n - 1,
    "hybrid": lambda n: 2 * n,
    "easy-first": lambda n: n,
    "planar": lambda n: 3 * (n + 1) - 2,
    "2-planar": lambda n: 8 * (n + 1) - 6,
    "attardi": lambda n: 2 * n,
    "swap": lambda n: n + n * n,
    "covington": lambda n: n * (n + 1) // 2 + n,
    "two-registers": lambda n: 5 * (n + 1),
}


def lengths(forest, name, **options):
    """Lengths of the derivations of many trees."""
    return fastparse.count_transitions(forest, name, **options)


@pytest.mark.parametrize(("name", "oracle"), VARIANTS)
def test_the_class_and_nothing_else(name, oracle):
    for n in range(1, MOST[name] + 1):
        counts = lengths(trees(n), name, oracle=oracle)
        assert [count >= 0 for count in counts] == [bool(tree_class(name)(heads)) for heads in trees(n)]
        assert counts.max() <= BOUNDS[name](n)


@pytest.mark.parametrize(("name", "oracle"), VARIANTS)
def test_moves_are_those_of_the_plain_oracle_and_rebuild_the_tree(name, oracle):
    for n in range(1, 5):
        for heads in trees(n):
            labels = [f"l{word % 3}" for word in range(n)]
            if not tree_class(name)(heads):
                with pytest.raises(fastparse.OracleError, match="cannot build"):
                    fastparse.derive(heads, name, oracle=oracle)
                continue
            d = fastparse.derive(heads, name, labels, oracle)
            end = d.configurations()[-1]
            assert end.is_final()
            assert end.heads == list(heads)
            assert end.deprels == labels
            if oracle != "fewest" and name != "easy-first":
                assert d.moves == plain_derive(list(heads), name, labels, **({"oracle": oracle} if oracle else {}))


@pytest.mark.parametrize("n", range(1, 7))
def test_every_choice_of_pairs(n):
    """Any valid pair of any crossing interval will do; others are refused."""
    longest = 0
    for heads in trees(n):
        if not tree_class("two-registers")(heads):
            continue
        valid = [pairs for _, _, pairs in g.valid_pairs(heads)]
        for choices in product(*valid):
            d = fastparse.derive(heads, "two-registers", choices=choices)
            longest = max(longest, len(d))
            if n < 5:
                assert d.moves == plain_derive(heads, "two-registers", choices=choices)
                assert d.heads == list(heads)
    assert longest == [2, 4, 11, 14, 17, 20][n - 1]


@pytest.mark.slow
def test_every_choice_of_pairs_of_seven_words():
    runs = 0
    for heads in product(range(8), repeat=7):
        try:
            d = fastparse.derive(heads, "two-registers")
        except ValueError:
            continue
        valid = [pairs for _, _, pairs in g.valid_pairs(heads)]
        assert len(d) <= 23
        for choices in product(*valid):
            assert len(fastparse.derive(heads, "two-registers", choices=choices)) <= 25
            runs += 1
    assert runs == 127_008


@pytest.mark.parametrize("choices", [[], [(1, 2)], [(6, 7), (6, 7)], [(2, 6)], [(0, 99)], [(6, 6)]], ids=str)
def test_invalid_choices(choices):
    with pytest.raises(fastparse.OracleError, match="choices="):
        fastparse.derive([0, 6, 6, 5, 7, 1, 6], "two-registers", choices=choices)
    assert fastparse.derive([0, 6, 6, 5, 7, 1, 6], "two-registers", choices=[(7, 6)]).moves


@pytest.mark.parametrize("n", range(1, 7))
def test_totals_of_two_registers(n):
    expected = COUNTS["two_registers"][str(n)]
    counts = lengths(trees(n), "two-registers")
    assert (counts >= 0).sum() == expected["oracle_trees"]
    assert counts.max() == expected["oracle_max_transitions"]
    assert counts[counts >= 0].sum() == expected["oracle_total_transitions"]


@pytest.mark.parametrize("n", range(1, 7))
def test_the_printed_system_derives_what_it_can_of_the_class(n):
    expected = COUNTS["two_registers"][str(n)]
    counts = lengths(trees(n), "two-registers/printed")
    derivable = expected["printed"]["derivable"] - expected["printed"]["unsound"]
    assert (counts >= 0).sum() == derivable == expected["oracle_trees"] - expected["printed"]["missing"]


@pytest.mark.parametrize("n", range(3, 7))
def test_swaps(n):
    expected = COUNTS["swap"][str(n)]
    for oracle in ("eager", "lazy"):
        table = lengths(trees(n), "swap", oracle=oracle, by_move=True)
        swaps = table[:, fastparse.Configuration("swap", 1).system.moves.index("SWAP")]
        assert swaps.sum() == expected[f"{oracle}_total"]
        assert swaps.max() == expected[f"{oracle}_max"]
        assert (table.sum(axis=1) == 2 * n + 2 * swaps).all()


@pytest.mark.parametrize("n", range(1, 7))
def test_switches(n):
    expected = COUNTS["two_planar"][str(n)]
    for oracle, total in (("greedy", "switches_greedy_total"), ("fewest", "switches_best_total")):
        table = lengths(trees(n), "2-planar", oracle=oracle, by_move=True)
        switches = table[table[:, 0] >= 0, 4]
        assert switches.sum() == expected[total]
        assert switches.max() == expected["max_switches"]


@pytest.mark.parametrize("covered_roots", [True, False])
@pytest.mark.parametrize("acyclic", [True, False])
@pytest.mark.parametrize("single_head", [True, False])
def test_planar_graphs(single_head, acyclic, covered_roots):
    options = {"single_head": single_head, "acyclic": acyclic, "covered_roots": covered_roots}
    for n in range(1, 5):
        for arcs in planar_graphs(n):
            assert can_derive(arcs, n, "planar/graph", options) == graph_class(options)(arcs, n)


@pytest.mark.parametrize("name", ["dag/arc-standard", "dag/arc-eager"])
def test_directed_acyclic_graphs(name):
    derivable = [sum(can_derive(arcs, n, name, {}) for arcs in planar_graphs(n)) for n in range(1, 5)]
    assert derivable == [1, 3, 17, 135]


@pytest.mark.parametrize("name", ["dag/arc-standard", "dag/arc-eager"])
def test_directed_acyclic_graphs_of_five_words(name):
    from fastparse.configurations.exploration import Exploration

    found = Exploration("dag/arc-eager", 5).final_arcs
    assert len(found) == 1281
    assert all(can_derive(arcs, 5, name, {}) for arcs in found)


def test_crossing_graphs_are_refused():
    for name in ("planar/graph", "dag/arc-eager", "dag/arc-standard"):
        with pytest.raises(fastparse.OracleError, match="1 -> 3 and 2 -> 4 cross"):
            fastparse.derive([(1, 3), (2, 4)], name)


def can_derive(arcs, n, name, options):
    try:
        d = fastparse.derive(list(arcs), name, n=n, **options)
    except fastparse.OracleError:
        return False
    assert d.arcs == sorted(arcs)
    assert d.n == n
    return True


def test_graph_systems_take_trees_without_their_roots():
    assert fastparse.derive([2, 0, 2], "dag/arc-eager").arcs == [(2, 1), (2, 3)]
    assert fastparse.count_transitions([[2, 0, 2], [3, 4, 0, 3]], "dag/arc-eager").tolist() == [5, -1]


def test_every_system_has_an_oracle():
    for name in systems():
        assert fastparse.derive([2, 0, 2], name).moves


def test_lengths_do_not_depend_on_what_came_before():
    forest = [heads for n in (6, 2, 5, 1, 4, 3) for heads in trees(n)[:: 7 if n > 4 else 1]]
    for name in TREE_CLASS:
        together = fastparse.count_transitions(forest, name)
        alone = np.concatenate([fastparse.count_transitions([heads], name) for heads in forest[::37]])
        assert together[::37].tolist() == alone.tolist()
