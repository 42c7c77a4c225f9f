"""Derivations in planes: k-planar and its oracle, and planes that are asked for."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import fastparse
from fastparse.theory.divisible import k_planar
from tests.reference import Configuration as Textbook
from tests.reference import graphs as g
from tests.reference.enumerate import all_trees

# Arcs that all cross each other, so many planes: 0 -> 1 -> 2 .. -> k, and i -> k + i.
CROSSING = {k: [0, *range(1, k), *range(1, k + 1)] for k in (2, 3, 4)}


def test_two_planes_are_those_of_2_planar() -> None:
    for n in range(1, 6):
        for heads in all_trees(n):
            if g.is_k_planar(g.arcs_of(heads), 2):
                moves = fastparse.derive(heads, "2-planar").moves
                assert fastparse.derive(heads, "k-planar").moves == moves
                assert fastparse.derive(heads, "k-planar", switch="choose").moves == moves


@pytest.mark.parametrize("switch", ["cycle", "choose"])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_class_of_k_planar(k: int, switch: str) -> None:
    random = Random(k)
    inside = 0
    forest = [random_tree(random, random.randint(2 * k, 2 * k + 4)) for _ in range(150)]
    for heads in [*CROSSING.values(), *forest]:
        fits = max(fastparse.trees.planes(heads, root_arcs=True)) < k
        inside += fits
        if not fits:
            with pytest.raises(fastparse.OracleError, match="cannot build"):
                fastparse.derive(heads, "k-planar", k=k, switch=switch)
            continue
        found = fastparse.derive(heads, "k-planar", k=k, switch=switch)
        end = found.end()
        assert (end.is_final(), end.heads) == (True, heads)
        # The textbook's system makes the same moves.
        plain = Textbook("k-planar", len(heads), k=k, switch=switch)
        for move in found.moves:
            plain.apply(move)
        assert plain.is_final()
        assert len(found) <= k * (k + 2) * (len(heads) + 1)
    assert inside > 10


def random_tree(random: Random, n: int) -> list[int]:
    order = random.sample(range(1, n + 1), n)
    heads = [0] * n
    for i in range(1, n):
        heads[order[i] - 1] = order[random.randrange(i)]
    return heads


@pytest.mark.parametrize("k", [3, 4])
def test_as_many_planes_as_arcs_that_cross(k: int) -> None:
    heads = CROSSING[k]
    assert max(fastparse.trees.planes(heads, root_arcs=True)) == k - 1
    moves = fastparse.derive(heads, "k-planar", k=k).moves
    assert moves.count("SWITCH") >= k - 1
    with pytest.raises(fastparse.OracleError, match="'k-planar' cannot build"):
        fastparse.derive(heads, "k-planar", k=k - 1)


@pytest.mark.parametrize("k", [3, 4])
def test_choosing_switches_are_those_of_the_composed_system(k: int) -> None:
    random, composed = Random(k), k_planar(k)
    for _ in range(60 // k):
        n = random.randint(0, 9)
        one = fastparse.Configuration(composed, n)
        other = fastparse.Configuration("k-planar", n, k=k, switch="choose")
        while other.legal():
            assert sorted(one.legal()) == sorted(other.legal())
            move = random.choice(other.legal())
            one.apply(move)
            other.apply(move)
            assert (one.stacks, one.buffer, one.arcs) == (other.stacks, other.buffer, other.arcs)
        assert one.is_final()
        assert other.is_final()


@pytest.mark.parametrize("name", ["2-planar", "k-planar"])
def test_planes_that_are_asked_for(name: str) -> None:
    """Any assignment in which no two arcs of a plane cross is followed, arc by arc; others are refused."""
    for n in range(1, 5):
        for heads in all_trees(n):
            arcs = [(head, word) for word, head in enumerate(heads, start=1)]
            for planes in product(range(2), repeat=n):
                clash = any(
                    g.cross(arcs[i], arcs[j]) and planes[i] == planes[j] for i in range(n) for j in range(i)
                )  # fmt: skip
                if clash:
                    with pytest.raises(fastparse.OracleError, match="planes="):
                        fastparse.derive(heads, name, planes=planes)
                else:
                    assert drawn_in(heads, name, planes) == list(planes)


def drawn_in(heads: Any, name: str, planes: Any) -> list[int]:
    """The plane in which the arc to each word is drawn."""
    configuration = fastparse.Configuration(name, len(heads))
    active, found = 0, [-1] * len(heads)
    for move in fastparse.derive(heads, name, planes=planes):
        before = set(configuration.arcs)
        configuration.apply(move)
        active ^= move == "SWITCH"
        for _, dependent in set(configuration.arcs) - before:
            found[dependent - 1] = active
    assert configuration.heads == list(heads)
    return found


@pytest.mark.parametrize("planes", [[], [0, 0], [0, 2, 0], [0, -1, 0]], ids=str)
def test_planes_that_there_are_not(planes: list[int]) -> None:
    with pytest.raises(fastparse.OracleError, match="planes="):
        fastparse.derive([2, 0, 2], "2-planar", planes=planes)


def test_planes_that_are_no_numbers() -> None:
    with pytest.raises(fastparse.Error, match="expected a plane for the arc to each word"):
        fastparse.derive([2, 0, 2], "2-planar", planes=["first", "second", "first"])
    assert fastparse.derive([2, 0, 2], "2-planar", planes=np.array([1, 0, 1])).moves.count("SWITCH") == 1
