"""Oracles on every tree: those of the class are built, all others refused."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product

import numpy as np
import pytest

import fastparse
from fastparse.theory.exploration import Exploration
from fastparse.theory.oracles import lengths_of
from fastparse.transition_systems.registry import ROWS, systems
from fastparse.trees import contains_treebank
from tests.reference import SYSTEMS, TREE_CLASS
from tests.reference import graphs as g
from tests.reference.membership import CLASSES, COUNTS
from tests.reference.oracles import derive as plain_derive
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

VARIANTS = [(name, oracle) for name in TREE_CLASS for oracle in ROWS[name].oracle_options.get("oracle", (None,))]
# What the plain oracles do in another order, or leave to a search.
OTHER_MOVES = [
    ("2-planar", "fewest"),
    ("easy-first", None),
    ("k-planar", None),
    ("swap", "fewest"),
    ("three-registers", None),
]


def lengths(forest, name, **options):
    """Lengths of the derivations of many trees."""
    return fastparse.count_transitions(forest, name, **options)


@pytest.mark.parametrize(("name", "oracle"), VARIANTS)
def test_the_class_and_nothing_else(name, oracle):
    for n in range(1, SYSTEMS[name].up_to.goals + 1):
        counts = lengths(trees(n), name, oracle=oracle)
        assert [count >= 0 for count in counts] == [bool(tree_class(name)(heads)) for heads in trees(n)]
        assert size(name, n) in (None, (counts >= 0).sum())
        assert counts.max() <= SYSTEMS[name].bound(n)


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
            if not name.startswith("three-step/"):
                assert end.heads == list(heads)
                assert end.deprels == labels
            if (name, oracle) not in OTHER_MOVES:
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


@pytest.mark.parametrize("longest", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [name for name, twin in SYSTEMS.items() if twin.derives and not twin.exact])
def test_inexact_systems_derive_what_they_can_of_the_class(name, longest):
    most = SYSTEMS[name].up_to.goals
    for n in [most] if longest else range(1, most):
        member, possible = CLASSES[SYSTEMS[name].derives], Exploration(name, n).trees
        counts = lengths(trees(n), name)
        assert [count >= 0 for count in counts] == [heads in possible and member(heads) for heads in trees(n)]
        assert counts.max() <= SYSTEMS[name].bound(n)


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


@pytest.mark.parametrize(("name", "options"), graph_cases(), ids=map(case_id, graph_cases()))
def test_graphs(name, options):
    member = graph_class(name, options)
    # Graphs are many more than trees: the systems of trees that can be made systems of graphs go as far as those do.
    for n in range(1, min(SYSTEMS[name].up_to.goals, SYSTEMS["planar/graph"].up_to.goals) + 1):
        for arcs in candidate_graphs(name, n):
            assert can_derive(arcs, n, name, options) == member(arcs, n)


@pytest.mark.parametrize("doubles", [True, False])
@pytest.mark.parametrize("n", range(1, 5))
def test_the_printed_arc_standard_of_graphs(n, doubles):
    """With cycles nothing that has a name is derived: all that can be is."""
    possible = Exploration("dag/arc-standard", n, acyclic=False).final_arcs
    assert len(possible) == (1, 4, 46, 868)[n - 1]
    for arcs in planar_graphs(n):
        assert can_derive(arcs, n, "dag/arc-standard", {"acyclic": False, "doubles": doubles}) == (arcs in possible)


LABELS = [None, "x", "y"]


@pytest.mark.parametrize("name", ["planar/graph", "2-planar/graph", "dag/arc-eager", "dag/arc-standard"])
def test_arcs_between_the_same_words(name):
    """All graphs of two words with up to three labels an arc, and of three words with one or two arcs a pair."""
    labelled = [labels for k in range(4) for labels in combinations(LABELS, k)]
    pairs = [(1, 2), (2, 1)]
    for chosen in product(labelled, repeat=2):
        triples = [(*pair, label) for pair, labels in zip(pairs, chosen, strict=True) for label in labels]
        one_way = not (chosen[0] and chosen[1]) or "planar" in name
        assert rebuilds(triples, name, 2) == one_way or name == "dag/arc-standard"
    for chosen in product([(), ("x",), ("x", "y")], repeat=3):
        arcs = zip([(1, 2), (2, 3), (1, 3)], chosen, strict=True)
        triples = [(*pair, label) for pair, labels in arcs for label in labels]
        assert rebuilds(triples, name, 3) == (
            "planar" in name or rebuilds([t for t in triples if t[2] == "x"], name, 3)
        )


def rebuilds(triples, name, n):
    try:
        d = fastparse.derive(triples, name, n=n)
    except fastparse.OracleError:
        return False
    assert d.end().labelled_arcs == sorted(triples, key=lambda arc: (*arc[:2], arc[2] or ""))
    return True


def test_fewest_switches_of_graphs():
    """No assignment of planes needs fewer: tried on all graphs of five words with few arcs and some crossing."""
    rng = random.Random(5)
    possible = list(permutations(range(1, 7), 2))
    for _ in range(150):
        arcs = sorted(rng.sample(possible, rng.randrange(3, 8)))
        if not g.is_k_planar(arcs, 2):
            with pytest.raises(fastparse.OracleError, match="third plane"):
                fastparse.derive(arcs, "2-planar/graph", n=6)
            continue
        least = plain_derive(arcs, "2-planar/graph", n=6, oracle="fewest").count("SWITCH")
        for oracle in ("greedy", "fewest"):
            d = fastparse.derive(arcs, "2-planar/graph", n=6, oracle=oracle)
            assert d.arcs == arcs
            assert d.moves.count("SWITCH") >= least
        assert d.moves.count("SWITCH") == least


@pytest.mark.parametrize("name", ["dag/arc-standard", "dag/arc-eager"])
def test_directed_acyclic_graphs_of_five_words(name):
    from fastparse.theory.exploration import Exploration

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


@pytest.mark.slow
def test_three_registers_with_all_trees_of_seven_words():
    heads = all_heads(7)
    bounds = np.arange(len(heads) + 1) * 7
    inside = contains_treebank(heads.reshape(-1), bounds, "3-crossing-interval")
    found = np.asarray(lengths_of("three-registers", heads.reshape(-1), bounds))
    assert (found >= 0).tolist() == inside.tolist()
    assert (len(heads), inside.sum()) == (262_144, COUNTS["classes"]["7"]["three_crossing_interval"]["any_root"])
    assert found.max() <= SYSTEMS["three-registers"].bound(7)


def all_heads(n):
    """All trees of n words, a row each."""
    heads = np.indices((n + 1,) * n, np.int32).reshape(n, -1).T
    above = np.hstack([np.zeros((len(heads), 1), np.int32), heads])
    word = np.tile(np.arange(1, n + 1, dtype=np.int32), (len(heads), 1))
    for _ in range(n):
        word = np.take_along_axis(above, word, 1)
    return np.ascontiguousarray(heads[(word == 0).all(1)])


@pytest.mark.parametrize(
    "heads",
    [[0, 0, 1, 6, 7, 7, 3, 10, 7, 9], [3, 0, 0, 6, 7, 7, 0, 10, 7, 9], [0, 0, 1, 7, 7, 4, 0, 10, 7, 9]],
)
def test_three_registers_where_crossings_touch(heads):
    """The word in the middle is in the second register, and its head has survived a CLEAR."""
    assert fastparse.derive(heads, "three-registers").configurations()[-1].heads == heads
    plain = SYSTEMS["three-registers"](len(heads))
    for move in fastparse.derive(heads, "three-registers").moves:
        plain.apply(move)
    assert plain.heads == heads
