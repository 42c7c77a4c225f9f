"""Configurations show, compare, hash and pickle their whole state."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest

import fastparse
from tests.reference import SYSTEMS

WHOLE = [name for name in SYSTEMS if not name.startswith("three-step/")]


def walks(name, n, times, **options):
    random = Random(f"{name} {n}")
    for _ in range(times):
        c = fastparse.Configuration(name, n, **options)
        for _ in range(60):
            yield c
            moves = c.legal()
            if not moves:
                break
            c.apply(random.choice(moves))


@pytest.mark.parametrize("name", WHOLE)
def test_what_looks_equal_is_equal(name):
    """Configurations with the same text allow the same moves, and these lead to the same text again."""
    seen = {}
    for n in (3, 6):
        for c in walks(name, n, 150):
            key = n, repr(c)
            if key not in seen:
                seen[key] = c.copy(), c.legal()
            twin, legal = seen[key]
            assert c.legal() == legal, repr(c)
            assert twin == c
            assert hash(twin) == hash(c)
            for move in legal[:2]:
                one, other = twin.copy(), c.copy()
                one.apply(move)
                other.apply(move)
                assert repr(one) == repr(other)


@pytest.mark.parametrize("name", WHOLE)
def test_pickles_and_copies(name):
    for c in walks(name, 4, 3):
        for again in (pickle.loads(pickle.dumps(c)), copy.copy(c), copy.deepcopy(c)):
            assert again == c
            assert again is not c
            assert again.legal() == c.legal()
            assert again.moves == c.moves
            assert again.memory == c.memory


@pytest.mark.parametrize("name", ["three-step/left", "three-step/right"])
def test_passes_are_pickled_with_what_they_were_given(name):
    c = fastparse.Configuration(name, 3, heads=[2, 0, 2], labels=["a", "root", "b"])
    c.apply(c.legal()[1])
    again = pickle.loads(pickle.dumps(c))
    assert (again, again.legal(), again.theta) == (c, c.legal(), c.theta)
    assert c != fastparse.Configuration(name, 3)


def test_composed_systems_are_pickled_as_what_they_are_made_of():
    from fastparse.theory.compose import ARC, B0, POP, PUSH, S0

    system = fastparse.compose("mine", SHIFT=[PUSH], LEFT_ARC=[ARC(B0, S0), POP], RIGHT_ARC=[ARC(S0, B0), PUSH])
    c = fastparse.Configuration(system, 3)
    c.apply("SHIFT")
    again = pickle.loads(pickle.dumps(c))
    assert again == c
    assert again.system == system
    assert pickle.loads(pickle.dumps(system)) == system


def test_memory_is_shown():
    c = fastparse.Configuration("2-planar", 2)
    c.apply("SHIFT")
    before = repr(c)
    c.apply("SWITCH")
    assert c.memory == {"switched": True}
    assert "(switched)" in repr(c)
    assert "(switched)" not in before
    assert fastparse.Configuration("arc-eager", 2).memory == {}


def test_memory_of_two_registers():
    found = set()
    for c in walks("two-registers", 6, 300):
        memory = c.memory
        for number in memory["covered"]:
            assert f"R{number} covered" in repr(c)
            found.add("covered")
        for name in ("lock", "survivor"):
            assert (f"{name} {memory[name]}" in repr(c)) == (memory[name] >= 0)
            found |= {name} if memory[name] >= 0 else set()
    assert found == {"covered", "lock", "survivor"}


def test_options_are_compared():
    assert fastparse.Configuration("planar", 2) != fastparse.Configuration("planar", 2, acyclic=False)
    assert fastparse.Configuration("covington", 2) != fastparse.Configuration("covington", 3)
    assert fastparse.Configuration("covington", 2) != "covington"


def test_the_derivation_shows_it():
    derivation = fastparse.derive([3, 4, 0, 3], "two-registers")
    assert "R1 covered" in str(derivation) or "lock" in str(derivation) or "survivor" in str(derivation)


def test_its_methods_can_be_found(capsys):
    assert {"apply", "legal", "is_final", "copy", "memory", "moves", "heads"} <= set(dir(fastparse.Configuration))
    help(fastparse.Configuration)
    text = capsys.readouterr().out
    assert "apply(move)" in text
    assert "legal()" in text
