"""The oracle of composed systems: exactly the class, and legal derivations of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastparse
from fastparse.theory.compose import ARC, B0, POP, PUSH, S0, UNSHIFT, compose, has_head
from fastparse.theory.divisible import composed, k_planar
from tests.reference import divisible as reference
from tests.reference.enumerate import all_trees

# Numbers of trees of up to 5 words
PROJECTIVE, TWO_PLANAR, ALL = [1, 3, 12, 55, 273], [1, 3, 16, 125, 1242], [1, 3, 16, 125, 1296]


def arc_swing() -> Any:
    """Arc-eager on the right, arc-standard on the left: no system of the registry."""
    return compose(
        "arc-swing",
        SHIFT=[PUSH],
        REDUCE=[POP],
        LEFT_ARC=[ARC(B0, S0), POP],
        RIGHT_ARC=[ARC(S0, B0), PUSH],
        RIGHT_REDUCE=[ARC(S0, B0), PUSH, POP, UNSHIFT],
        only_if={"REDUCE": has_head(S0)},
        single_head=True,
        acyclic=True,
    )


def checked(system: Any, n: int) -> int:
    """How many trees the oracle derives; each derivation is replayed."""
    trees = [list(tree) for tree in all_trees(n)]
    lengths = fastparse.count_transitions(trees, system)
    for tree, length in zip(trees, lengths, strict=True):
        if length < 0:
            with pytest.raises(fastparse.OracleError):
                fastparse.derive(tree, system)
            continue
        end = fastparse.derive(tree, system, labels=[f"l{head}" for head in tree]).end()
        assert end.is_final()
        assert end.heads == tree
        assert end.deprels == [f"l{head}" for head in tree]
    return int((lengths >= 0).sum())


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("arc-standard", PROJECTIVE),
        ("arc-standard/buffer", PROJECTIVE),
        ("arc-eager", PROJECTIVE),
        ("hybrid", PROJECTIVE),
        ("easy-first", PROJECTIVE),
        ("planar", PROJECTIVE),
        ("2-planar", TWO_PLANAR),
    ],
)
def test_twins_derive_exactly_the_class(name: str, sizes: list[int]) -> None:
    system = composed(name)
    assert [checked(system, n) for n in range(1, 5)] == sizes[:4]
    trees = list(all_trees(5))
    assert (fastparse.count_transitions(trees, system) >= 0).sum() == sizes[4]


def test_two_planar_class_at_six_words() -> None:
    lengths = fastparse.count_transitions(list(all_trees(6)), k_planar(2))
    assert (lengths >= 0).sum() == 14371
    assert lengths.max() <= 8 * 7


@pytest.mark.slow
def test_four_planes_are_more_than_three() -> None:
    # Three arcs that cross one another, and a fourth that crosses them all.
    heads = [5, 6, 7, 8, 0, 0, 0, 0]
    assert fastparse.count_transitions([heads], k_planar(3)).tolist() == [-1]
    assert fastparse.count_transitions([heads], k_planar(4))[0] > 0


def test_three_planes_are_more_than_two() -> None:
    heads = [4, 5, 6, 0, 0, 0]
    assert fastparse.count_transitions([heads], k_planar(2)).tolist() == [-1]
    assert fastparse.derive(heads, k_planar(3)).heads == heads


def test_a_system_of_ones_own_derives_exactly_what_can_be_reached() -> None:
    from fastparse.theory.compose import recipe

    system = arc_swing()
    description = recipe(system)
    for n in range(1, 6):
        found = reference.explore(description, n, 1_000_000)
        assert found is not None
        reachable = {
            tuple(sorted(here.arcs)) for here in found if reference.is_final(description, here) and len(here.arcs) == n
        }
        trees = [list(tree) for tree in all_trees(n)]
        lengths = fastparse.count_transitions(trees, system)
        derived = {
            tuple(sorted(zip(tree, range(1, n + 1), strict=True)))
            for tree, length in zip(trees, lengths, strict=True)
            if length >= 0
        }
        assert derived == reachable
        assert len(derived) == PROJECTIVE[n - 1]


def test_time_is_linear_where_nothing_is_taken_back() -> None:
    chain = np.arange(20_000, dtype=np.int32)
    assert fastparse.count_transitions([chain], composed("arc-eager")).tolist() == [20_000 + 0]


def test_graph_systems_have_no_oracle() -> None:
    with pytest.raises(fastparse.Error, match="no oracle"):
        fastparse.derive([(1, 2)], composed("planar/graph"))
