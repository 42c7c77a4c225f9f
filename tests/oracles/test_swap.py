"""The oracles of swap: counts over all trees, the textbook oracles, and the quadratic case."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
import pytest

import fastparse
from fastparse.theory.derive import heads_of
from fastparse.theory.oracles import fallbacks_of
from tests.reference.enumerate import all_trees
from tests.reference.oracles.follow import follow
from tests.reference.oracles.swap import Swap as Oracle
from tests.reference.systems.swap import Swap

# Swaps over all trees of n words
EAGER = {3: 4, 4: 93, 5: 1918, 6: 41350}
LAZY = {3: 4, 4: 85, 5: 1708, 6: 36860}
FEWEST = {3: 4, 4: 80, 5: 1560, 6: 32181}


@pytest.mark.parametrize("n", EAGER)
def test_swaps_over_all_trees(n: int) -> None:
    trees = list(all_trees(n))
    eager = fastparse.count_transitions(trees, "swap", oracle="eager", by_move=True)
    lazy = fastparse.count_transitions(trees, "swap", by_move=True)
    fewest = fastparse.count_transitions(trees, "swap", oracle="fewest", by_move=True)
    for counts, total in ((eager, EAGER[n]), (lazy, LAZY[n]), (fewest, FEWEST[n])):
        shift, left, right, swap = counts.T
        assert swap.sum() == total
        assert (left + right == n).all()
        assert (shift == n + swap).all()
    assert (lazy <= eager).all()
    assert (fewest[:, 3] <= lazy[:, 3]).all()
    assert not fallbacks_of("swap", *heads_of(trees), "fewest").any()
    assert max(eager[:, 3].max(), lazy[:, 3].max()) <= n * (n - 1) // 2


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("oracle", ["lazy", "eager"])
def test_moves_are_those_of_the_textbook(n: int, oracle: str) -> None:
    for tree in all_trees(n):
        arcs = [(head, word) for word, head in enumerate(tree, 1)]
        expected = follow(Swap(n), arcs, Oracle(tree, lazy=oracle == "lazy"))
        assert fastparse.derive(tree, "swap", oracle=oracle).moves == expected


def interleaved(n: int) -> list[int]:
    """Two chains below the root, one over odd and one over even words, each read from right to left."""
    return [word + 2 if word + 2 <= n else 0 for word in range(1, n + 1)]


def crossed(n: int) -> list[int]:
    """The first half depends, word by word, on the second half, whose words are children of the root."""
    return [word + n // 2 if word <= n // 2 else 0 for word in range(1, n + 1)]


def test_swaps_may_grow_with_the_square_of_the_length() -> None:
    swaps = [int(fastparse.count_transitions([crossed(n)], "swap", by_move=True)[0, 3]) for n in (100, 200, 400, 800)]
    for shorter, longer in pairwise(swaps):
        assert 3.8 < longer / shorter < 4.2
    assert swaps[-1] > 800 * 800 / 16


def test_swaps_may_be_few_in_trees_far_from_projective() -> None:
    counts = fastparse.count_transitions([interleaved(400)], "swap", by_move=True)
    assert 0 < counts[0, 3] <= 400 * 399 / 2


def test_projective_trees_need_no_swap() -> None:
    trees = list(all_trees(5))
    projective = fastparse.count_transitions(trees, "arc-standard") >= 0
    for oracle in ("lazy", "eager"):
        swaps = fastparse.count_transitions(trees, "swap", oracle=oracle, by_move=True)[:, 3]
        assert np.array_equal(swaps == 0, projective)


def least_swaps(tree: list[int]) -> int:
    """By breadth-first search over all configurations of the textbook's system."""
    start = Swap(len(tree))
    arcs = {(head, word) for word, head in enumerate(tree, 1)}
    agenda, seen = deque([(0, start)]), set()
    while agenda:
        swaps, c = agenda.popleft()
        if c.is_final() and {arc[:2] for arc in c.drawn} == arcs:
            return swaps
        state = tuple(c.stack), tuple(c.buffer), frozenset(arc[:2] for arc in c.drawn)
        if state in seen:
            continue
        seen.add(state)
        for move in c.legal():
            after = c.copy()
            after.apply(move)
            if {arc[:2] for arc in after.drawn} <= arcs:
                if move == "SWAP":
                    agenda.append((swaps + 1, after))
                else:
                    agenda.appendleft((swaps, after))
    raise AssertionError(tree)


def test_the_fewest_swaps_are_the_fewest() -> None:
    trees = [*all_trees(3), *all_trees(4), *list(all_trees(5))[::29]]
    found = fastparse.count_transitions(trees, "swap", oracle="fewest", by_move=True)[:, 3]
    assert found.tolist() == [least_swaps(tree) for tree in trees]


def test_where_the_search_takes_too_long_the_lazy_oracle_is_followed() -> None:
    trees = [crossed(100), interleaved(600), [0, 0, 1, 2]]
    assert fallbacks_of("swap", *heads_of(trees), "fewest").tolist() == [True, True, False]
    lazy, fewest = (fastparse.count_transitions(trees, "swap", oracle=oracle).tolist() for oracle in ("lazy", "fewest"))
    assert lazy == fewest
