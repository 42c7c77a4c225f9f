"""Composed systems: equal to the hand-written ones, and systems of one's own."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import pytest

import fastparse
from fastparse.theory.compose import (
    ARC,
    B0,
    B1,
    POP,
    PUSH,
    S0,
    S1,
    SWITCH,
    UNSHIFT,
    compose,
    connected,
    empty,
    from_recipe,
    has_head,
    no_head,
    not_root,
    reaches,
    recipe,
)
from fastparse.theory.configuration import CellConfiguration
from fastparse.theory.divisible import composed, divisible_names, k_planar
from fastparse.theory.inspection import Branches, view
from fastparse.transition_systems.registry import ROWS

# Composed systems draw no arc twice, whatever its label.
VARIANTS = [
    (name, options)
    for name in divisible_names()
    for values in product(*ROWS[name].options.values())
    if not (options := dict(zip(ROWS[name].options, values, strict=True))).get("doubles")
]
IDS = [f"{name} {' '.join(map(str, options.values()))}".strip() for name, options in VARIANTS]


def shown(configuration: Any) -> str:
    """A configuration without the name of its system."""
    return repr(configuration).partition(": ")[2]


def same(twin: Any, written: Any) -> None:
    assert sorted(twin.legal()) == sorted(written.legal()), (twin, written)
    assert twin.is_final() == written.is_final()
    assert twin.arcs == written.arcs
    if "pending" not in written.system.parts:
        assert shown(twin) == shown(written)
        assert twin.legal() == written.legal()


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=IDS)
def test_twins_are_equal_in_every_configuration(name: str, options: dict[str, Any]) -> None:
    twin_system = composed(name, **options)
    for n in range(4):
        waiting = [(fastparse.Configuration(twin_system, n), fastparse.Configuration(name, n, **options))]
        seen = set()
        while waiting:
            twin, written = waiting.pop()
            key = repr(written), tuple(written.legal())
            if key in seen:
                continue
            seen.add(key)
            same(twin, written)
            for move in written.legal():
                following = twin.copy(), written.copy()
                for each in following:
                    each.apply(move)
                waiting.append(following)


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=IDS)
def test_twins_are_equal_step_by_step(name: str, options: dict[str, Any]) -> None:
    twin_system = composed(name, **options)
    random = Random(7)
    for _ in range(60):
        n = random.randint(1, 7 if name == "easy-first" else 14)
        twin, written = fastparse.Configuration(twin_system, n), fastparse.Configuration(name, n, **options)
        while written.legal():
            same(twin, written)
            move = random.choice(written.legal())
            one_label = not written.system.is_graph or "doubles" in options
            label = ":x" if random.random() < 0.5 and one_label and twin_system.labelled(move) else ""
            twin.apply(move + label)
            written.apply(move + label)
        same(twin, written)


@pytest.mark.parametrize("name", divisible_names())
def test_recipes_build_the_same_system(name: str) -> None:
    system = composed(name)
    again = from_recipe(json.loads(json.dumps(recipe(system))))
    assert recipe(again) == recipe(system)
    assert (again.name, again.moves, again.covers) == (system.name, system.moves, system.covers)
    one, other = fastparse.Configuration(system, 5), fastparse.Configuration(again, 5)
    while one.legal():
        assert one.legal() == other.legal()
        for each in (one, other):
            each.apply(one.legal()[-1] if each is one else other.legal()[-1])
    assert one == other


def test_only_composed_systems_have_recipes() -> None:
    from fastparse.transition_systems.registry import resolve

    with pytest.raises(fastparse.Error, match="not a composed system"):
        recipe(resolve("swap"))
    with pytest.raises(fastparse.Error, match="not a recipe"):
        from_recipe({"name": "x"})


def test_steps_can_be_restricted() -> None:
    system = compose("restricted", SHIFT=[PUSH], LEFT_ARC=[ARC(B0, S0), POP.when(has_head(S0) & not_root(S0))])
    c = fastparse.Configuration(system, 2)
    c.apply("SHIFT")
    c.apply("LEFT-ARC")
    assert c.legal() == ["SHIFT"]
    assert c.arcs == [(2, 1)]


def test_conditions_see_the_configuration_their_step_reaches() -> None:
    system = compose("second", SHIFT=[PUSH], TWICE=[PUSH, PUSH.when(no_head(B0)), POP, POP], root="absent")
    assert fastparse.Configuration(system, 1).legal() == ["SHIFT"]
    assert fastparse.Configuration(system, 2).legal() == ["SHIFT", "TWICE"]


@pytest.mark.parametrize(
    ("problem", "arguments", "moves"),
    [
        ("name of another system", {"name": "swap"}, {"SHIFT": [PUSH]}),
        ("1 to 32 moves", {}, {}),
        ("names have no colons", {}, {"A:B": [PUSH]}),
        ("expected a list of", {}, {"SHIFT": ["PUSH"]}),
        ("several arcs", {}, {"BOTH": [ARC(B0, S0), POP, ARC(S0, B0)]}),
        ("there is one", {}, {"SWITCH": [SWITCH]}),
        ("lies in all of them", {"stacks": 2, "root": "buffer"}, {"BACK": [UNSHIFT]}),
        ("say root='buffer'", {"stacks": 2}, {"SHIFT": [PUSH]}),
        ("other stacks are 1..1", {"stacks": 2, "root": "buffer"}, {"SWITCH": [SWITCH(2)]}),
        ("say single_head=True", {"stacks": 2, "root": "buffer"}, {"RIGHT": [ARC(S0, B0)]}),
        ("comes before PUSH and POP", {"stacks": 2, "root": "buffer"}, {"LATE": [POP, ARC(S0, B0)]}),
        ("which is no move", {"only_if": {"SHUFFLE": has_head(S0)}}, {"SHIFT": [PUSH]}),
        ("can never be made", {"only_if": {"POP": has_head(S0) & ~has_head(S0)}}, {"POP": [POP]}),
        ("ever final", {"final": has_head(S0) & ~has_head(S0)}, {"SHIFT": [PUSH]}),
        ("root is one of", {"root": "token"}, {"SHIFT": [PUSH]}),
        ("are the most", {}, {"FAR": [PUSH] * 17}),
    ],
)
def test_what_cannot_be_composed_is_explained(problem: str, arguments: dict[str, Any], moves: dict[str, Any]) -> None:
    arguments = dict(arguments)
    with pytest.raises(fastparse.Error, match=problem):
        compose(arguments.pop("name", "attempt"), moves, **arguments)


def test_conditions_are_checked_where_they_are_written() -> None:
    with pytest.raises(fastparse.Error, match="elementary arcs join S0 and B0"):
        ARC(S0, S1)
    with pytest.raises(fastparse.Error, match="compares S0 and B0"):
        connected(S0, B1)
    with pytest.raises(fastparse.Error, match="compares S0 and B0"):
        reaches(S0, S0)
    with pytest.raises(fastparse.Error, match="STACK or BUFFER"):
        empty(S0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="combined with &"):
        bool(has_head(S0))


def test_options_and_names_of_composed_systems() -> None:
    system = k_planar(3)
    assert system.moves == ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "SWITCH(1)", "SWITCH(2)")
    c = fastparse.Configuration(system, 2)
    assert len(c.stacks) == 3
    c.apply("SWITCH(2)")
    assert c.legal() == ["SHIFT"]
    with pytest.raises(ValueError, match="no move"):
        c.apply("SWITCH(3)")


BRANCHING = [(name, options) for name, options in VARIANTS if not composed(name, **options).is_graph]


@pytest.mark.parametrize(("name", "options"), BRANCHING, ids=[f"{name} {options}" for name, options in BRANCHING])
def test_composed_systems_share_cells(name: str, options: dict[str, Any]) -> None:
    system = composed(name, **options)
    random = Random(11)
    made = 0
    while made < 1_000:
        n = random.randint(1, 7 if name == "easy-first" else 20)
        shared, copies = Branches(system, n, 20), [CellConfiguration(system, n, "012")]
        for _ in range(200):
            i = random.randrange(len(shared))
            legal = shared.legal(i)
            assert legal == copies[i].legal()
            if not legal:
                continue
            move, label = random.choice(legal), random.randrange(3)
            at = len(shared) if len(shared) < 20 else random.randrange(20)
            twin = copies[i].copy()
            twin.apply(f"{move}:{label}" if system.labelled(move) else move)
            shared.branch(i, move, label, at)
            copies[at : at + 1] = [twin]
            assert shared.view(at) == view(twin)
            made += 1
            if random.random() < 0.02:
                shared.compact()
        assert [shared.view(k) for k in range(len(shared))] == [view(copy) for copy in copies]
