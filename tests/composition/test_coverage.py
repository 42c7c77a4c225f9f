"""Soundness and completeness, as `analyse` finds them, against derivations followed by the textbook systems."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import fastparse
from fastparse.errors import Error, UnknownNameError
from fastparse.theory.compose import ARC, B0, POP, PUSH, S0, compose, from_recipe, has_head, recipe
from fastparse.theory.divisible import k_planar
from fastparse.transition_systems.registry import ROWS, systems
from tests.composition.random_systems import random_recipe
from tests.reference import divisible as reference
from tests.reference import graphs as g
from tests.reference.enumerate import all_digraphs, all_trees, final_graphs, reachable
from tests.reference.membership import CLASSES

COMPOSITIONS = 30
MOST = 4_000
NAMES = {
    "all": "all",
    "projective": "projective",
    "planar": "projective",  # arcs from the root count, and it stands on the left
    "2-planar": "two_planar",
    "2-crossing-interval": "two_crossing_interval",
    "3-crossing-interval": "three_crossing_interval",
    "1-endpoint-crossing": "one_endpoint_crossing",
    "well-nested": "well_nested",
    "gap-degree-1": "gap_degree_le_1",
    "well-nested-gap-degree-1": "well_nested_gap_le_1",
}
WITHOUT_ROOT = {
    "planar": g.is_planar,
    "2-planar": lambda arcs: g.is_k_planar(arcs, 2),
    "3-planar": lambda arcs: g.is_k_planar(arcs, 3),
}
PROPERTIES = {
    "single head": lambda arcs, n: g.is_single_head(arcs),
    "no covered roots": g.has_no_covered_root,
    "acyclic": lambda arcs, n: g.is_acyclic(arcs),
    "planar": lambda arcs, n: g.is_planar(arcs),
}

Structures = set[tuple[tuple[int, int], ...]]


def members(covers: str, n: int, graph: bool, root: bool) -> Structures:
    """The structures of a class, by the textbook definitions."""
    if graph:
        tests = [PROPERTIES[name] for name in covers.split(", ") if name != "all graphs"]
        possible = all_digraphs(n) if not root else rooted_digraphs(n)
        return {tuple(sorted(arcs)) for arcs in possible if all(test(arcs, n) for test in tests)}
    found = set()
    for heads in all_trees(n):
        arcs = g.arcs_of(heads)
        if not root and covers in WITHOUT_ROOT:
            inside = WITHOUT_ROOT[covers]([arc for arc in arcs if arc[0]])
        elif covers == "3-planar":
            inside = g.is_k_planar(arcs, 3)
        elif root or covers in ("all", "projective", "well-nested"):
            inside = CLASSES[NAMES[covers]](heads)
        else:
            inside = fastparse.trees.contains(heads, covers, root_arcs=False)
        if inside:
            found.add(tuple(sorted(arcs)))
    return found


def rooted_digraphs(n: int) -> list[Any]:
    """Graphs in which 0 has arcs, too, but never a head: those of n + 1 words, a word less each."""
    return [
        [(head - 1, dependent - 1) for head, dependent in arcs]
        for arcs in all_digraphs(n + 1)
        if all(dependent != 1 for _, dependent in arcs)
    ]


def check(analysis: Any, derived: dict[int, Structures], graph: bool, root: bool) -> tuple[bool, bool]:
    """Compare the answers with all structures of up to `up_to` words; says whether sound and whether complete."""
    tried = range(1, analysis.up_to + 1)
    inside = {n: members(analysis.covers, n, graph, root) for n in tried}
    sound = all(derived[n] <= inside[n] for n in tried)
    complete = all(inside[n] <= derived[n] for n in tried)
    assert (analysis.sound.value != "no") == sound, str(analysis)
    assert (analysis.complete.value != "no") == complete, str(analysis)
    if not complete:
        # The example is one of the smallest trees that are missing.
        n = min(n for n in tried if not inside[n] <= derived[n])
        assert analysis.complete.example in inside[n] - derived[n]
    if not sound:
        n = min(n for n in tried if not derived[n] <= inside[n])
        assert analysis.sound.example in derived[n] - inside[n]
    return sound, complete


@pytest.mark.parametrize("name", [n for n in systems() if not ROWS[n].pipeline and not n.startswith("three-step")])
def test_named_systems(name: str) -> None:
    system = fastparse.Exploration(name, 1).system
    up_to = 2 if name in ("2-planar", "k-planar") else 3
    analysis = fastparse.analyse(name, up_to=up_to)
    assert analysis.up_to == up_to
    derived = {}
    for n in range(1, up_to + 1):
        graphs = final_graphs(reachable(name, n))
        derived[n] = {tuple(sorted(arcs)) for arcs in graphs if system.is_graph or len(arcs) == n}
    sound, complete = check(analysis, derived, system.is_graph, system.has_root)
    assert complete, str(analysis)
    assert sound or name == "attardi"
    if not sound:
        replayed = fastparse.Configuration(name, max(word for _, word in analysis.sound.example))
        for move in analysis.sound.moves:
            replayed.apply(move)
        assert replayed.is_final()
        assert tuple(replayed.arcs) == analysis.sound.example


@pytest.mark.parametrize("words", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_random_compositions(words: int) -> None:
    random, tried, seen = Random(61), 0, []
    while tried < COMPOSITIONS:
        values = random_recipe(random, f"random {tried}")
        try:
            system = from_recipe(values)
        except Error:
            continue
        up_to = 3 if system.is_graph else words
        explored = {n: reference.explore(values, n, MOST) for n in range(1, up_to + 1)}
        if any(each is None for each in explored.values()):
            continue
        tried += 1
        root = values["root"] != "absent"
        derived: dict[int, Structures] = {}
        for n, found in explored.items():
            finals = {frozenset(here.arcs) for here in found or () if reference.is_final(values, here)}
            if system.is_graph:
                derived[n] = {tuple(sorted(arcs)) for arcs in finals}
            elif root:
                derived[n] = {tuple(sorted(arcs)) for arcs in finals if len(arcs) == n}
            else:
                headed = [{dependent for _, dependent in arcs} for arcs in finals]
                derived[n] = {
                    tuple(sorted({*arcs, *((0, word) for word in range(1, n + 1) if word not in words)}))
                    for arcs, words in zip(finals, headed, strict=True)
                }
        analysis = fastparse.analyse(system, up_to=up_to)
        assert analysis.up_to == up_to or system.is_graph
        seen.append(check(analysis, derived, system.is_graph, root))
    # Systems drawn at random derive too little, and some derive what is no tree.
    assert {(False, False), (True, False)} <= set(seen)


def rightward(**options: Any) -> Any:
    return compose(
        "rightward",
        SHIFT=[PUSH],
        REDUCE=[POP],
        RIGHT_ARC=[ARC(S0, B0), PUSH],
        only_if={"REDUCE": has_head(S0)},
        **options,
    )


def test_right_arcs_alone_are_sound_but_not_complete() -> None:
    analysis = fastparse.analyse(rightward(), covers="projective")
    assert (analysis.sound.value, analysis.complete.value) == ("yes", "no")
    assert analysis.complete.example == ((0, 2), (2, 1))
    assert len(fastparse.Exploration(rightward(), 4).trees) == 14


def test_a_false_claim_is_refused() -> None:
    with pytest.raises(Error, match=r"does not cover 'projective': no derivation builds \{0 -> 2, 2 -> 1\}"):
        rightward(covers="projective")
    with pytest.raises(UnknownNameError, match="unknown tree class 'flat'"):
        rightward(covers="flat")
    # What was claimed once is read back without being tried again.
    assert from_recipe({**recipe(rightward()), "covers": "projective"}).covers == "projective"


def test_the_lemmas() -> None:
    for name, options in (("planar", {}), ("planar", {"root": "absent"}), ("planar", {"covered_roots": False})):
        analysis = fastparse.analyse(name, up_to=2, **options)
        assert analysis.complete.reason.startswith("lemma 5"), (options, str(analysis))
    assert fastparse.analyse("planar/graph", up_to=2).complete.reason.startswith("lemma 5")
    for k in (2, 3):
        analysis = fastparse.analyse(k_planar(k), up_to=2)
        assert analysis.sound.reason.startswith("lemma 6")
        assert analysis.complete.reason.startswith("lemma 7")
    # Planar trees may have covered roots where the root is no word; this system cannot pop them.
    without = fastparse.analyse("planar", root="absent", covered_roots=False, covers="planar")
    assert without.complete.value == "no"


def test_systems_that_are_not_divisible_are_answered() -> None:
    for name, covers in (("swap", "all"), ("two-registers", "2-crossing-interval")):
        analysis = fastparse.analyse(name, up_to=3)
        assert analysis.planar.value == "no"
        assert "for 3 words" in analysis.planar.reason
        assert (analysis.covers, analysis.up_to, analysis.complete.value) == (covers, 3, "so far")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["swap", "two-registers", "covington", "attardi", "2-planar"])
def test_four_words(name: str) -> None:
    analysis = fastparse.analyse(name)
    assert (analysis.up_to, analysis.complete.value) == (4, "yes" if name == "2-planar" else "so far")


def test_passes_are_refused() -> None:
    assert fastparse.analyse("three-step/left").complete.value == "unknown"
    with pytest.raises(Error, match="pipeline"):
        fastparse.analyse("three-step")


def test_as_plain_values() -> None:
    told = fastparse.analyse("attardi").to_dict()
    assert told["sound"]["example"] == [[0, 1], [0, 2], [1, 3]]
    assert told["sound"]["moves"][-1] == "SHIFT"
