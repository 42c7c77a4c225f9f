"""`analyse` against what exhaustive exploration finds."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

import fastparse
from fastparse.theory.analysis import PROPERTIES
from fastparse.theory.compose import from_recipe
from fastparse.theory.divisible import composed, k_planar
from fastparse.theory.properties import acyclic, no_covered_roots, planar, single_head
from tests.composition.random_systems import random_recipe
from tests.reference import divisible as reference

SYSTEMS = 200
LONGEST = 4
MOST = 4_000

ARC_TESTS = {
    "single_head": single_head,
    "no_covered_roots": no_covered_roots,
    "acyclic": acyclic,
    "planar": planar,
    "projective": lambda arcs, n: all(test(arcs, n) for test in (single_head, no_covered_roots, acyclic, planar)),
}


@cache
def systems() -> list[tuple[Any, dict[str, Any], dict[int, Any]]]:
    """Random systems whose configurations can all be visited, with their recipes and configurations."""
    random = Random(20131)
    found: list[tuple[Any, dict[str, Any], dict[int, Any]]] = []
    while len(found) < SYSTEMS:
        recipe = random_recipe(random, f"random {len(found)}")
        try:
            system = from_recipe(recipe)
        except fastparse.Error:
            continue
        explored = {n: reference.explore(recipe, n, MOST) for n in range(1, LONGEST + 1)}
        if all(each is not None for each in explored.values()):
            found.append((system, recipe, explored))
    return found


def truth(recipe: dict[str, Any], explored: dict[int, Any]) -> dict[str, bool]:
    """Which properties hold for all sentences of up to LONGEST words."""
    facts = dict.fromkeys((*ARC_TESTS, "robust", "bounded"), True)
    for n, found in explored.items():
        if reference.longest(found) is None:
            facts["bounded"] = False
        for here, after in found.items():
            if reference.is_final(recipe, here):
                for name, test in ARC_TESTS.items():
                    facts[name] = facts[name] and test(here.arcs, n)
            elif not after:
                facts["robust"] = False
    return facts


def test_findings_are_never_wrong() -> None:
    decided: Counter[str] = Counter()
    for system, recipe, explored in systems():
        analysis = fastparse.analyse(system, up_to=0)
        facts = truth(recipe, explored)
        for name, holds in facts.items():
            value = getattr(analysis, name).value
            decided[f"{name} {value}"] += 1
            assert value == "unknown" or (value == "yes") == holds, (recipe, name, str(analysis))
            # What is false for so many words is refuted.
            assert value != "unknown" or holds, (recipe, name, str(analysis))
        if analysis.bound is not None:
            for n, found in explored.items():
                assert reference.longest(found) <= analysis.bound[0] * n + analysis.bound[1], (recipe, n)
        if analysis.efficient.value == "yes":
            assert facts["bounded"], recipe
            assert facts["robust"] or recipe["final"][0] != "empty", recipe
    # The propositions and the examples decide most questions, and both answers occur.
    for name in ("single_head", "no_covered_roots", "acyclic", "robust", "bounded"):
        assert min(decided[f"{name} yes"], decided[f"{name} no"]) >= 10, decided
        assert decided[f"{name} unknown"] <= SYSTEMS / 2, decided


def test_single_head_decides_the_representation() -> None:
    for system, recipe, explored in systems():
        if not system.is_graph:
            assert truth(recipe, explored)["single_head"], recipe


def test_composed_systems_do_what_their_recipes_say() -> None:
    for system, recipe, explored in systems():
        for n in range(1, LONGEST):
            waiting = [(fastparse.Configuration(system, n), reference.start(recipe, n))]
            seen = set()
            while waiting:
                fast, slow = waiting.pop()
                if slow in seen:
                    continue
                seen.add(slow)
                assert fast.is_final() == reference.is_final(recipe, slow), (recipe, fast)
                assert fast.legal() == list(explored[n][slow]), (recipe, fast)
                assert (fast.stack, fast.buffer) == (list(slow.stacks[0]), list(slow.buffer))
                assert fast.arcs == sorted(slow.arcs)
                for move, after in explored[n][slow].items():
                    following = fast.copy()
                    following.apply(move)
                    waiting.append((following, after))


@pytest.mark.parametrize("name", ["arc-standard", "arc-standard/buffer", "arc-eager", "hybrid", "easy-first"])
def test_projective_systems_are_proven_projective(name: str) -> None:
    analysis = fastparse.analyse(name)
    for prop in ("single_head", "no_covered_roots", "acyclic", "planar", "projective", "bounded", "linear"):
        assert getattr(analysis, prop).value == "yes", analysis


def test_planar_has_covered_roots_unless_forbidden() -> None:
    assert fastparse.analyse("planar").no_covered_roots.value == "no"
    assert fastparse.analyse("planar", covered_roots=False).projective.value == "yes"


def test_printed_dag_systems_are_cyclic() -> None:
    assert fastparse.analyse("dag/arc-eager", acyclic=False).acyclic.value == "no"
    assert fastparse.analyse("dag/arc-standard", acyclic=False).acyclic.value == "no"
    assert fastparse.analyse("dag/arc-eager").acyclic.value == "yes"


def test_switching_stacks_is_bounded() -> None:
    for k in (2, 3):
        analysis = fastparse.analyse(k_planar(k), up_to=2)
        assert analysis.bounded.value == "yes"
        assert "11" in analysis.bounded.reason
        assert analysis.planar.value == "no"


def test_unshift_alone_is_not_bounded() -> None:
    from fastparse.theory.compose import PUSH, UNSHIFT, compose

    analysis = fastparse.analyse(compose("to-and-fro", SHIFT=[PUSH], BACK=[UNSHIFT]))
    assert (analysis.bounded.value, analysis.linear.value, analysis.efficient.value) == ("no", "no", "no")
    assert "recurs" in analysis.bounded.reason


def test_systems_that_are_not_divisible() -> None:
    for name in ("swap", "attardi", "covington", "two-registers"):
        analysis = fastparse.analyse(name, up_to=2)
        assert analysis.divisible.value == "no"
        assert analysis.planar.value == "no"
        assert {getattr(analysis, prop).value for prop in PROPERTIES} <= {"unknown", "no"}


def test_text_and_dictionary_agree() -> None:
    analysis = fastparse.analyse(composed("hybrid"))
    told = analysis.to_dict()
    assert all(told[prop]["reason"] in str(analysis) for prop in PROPERTIES)
