"""Dynamic oracles against the best of all derivations, in every configuration of a few words, for every tree."""

from __future__ import annotations

import pytest

import fastparse
from fastparse.oracles.dynamic import best_moves
from tests.transition_systems.cases import tree_class, trees

EXACT = {"arc-eager": 4, "hybrid": 4, "planar": 4, "covington": 4}


def explore(name, n):
    """All configurations by their text -> (configuration, move -> text of the configuration after it)."""
    start = fastparse.Configuration(name, n)
    found, agenda = {}, [start]
    while agenda:
        c = agenda.pop()
        if repr(c) in found:
            continue
        after = {}
        for move in c.legal():
            successor = c.copy()
            successor.apply(move)
            after[move] = repr(successor)
            agenda.append(successor)
        found[repr(c)] = c, after
    return found


def most_arcs(found, heads):
    """Configuration -> the arcs of the tree in the best configuration it can end in."""
    best = {}
    for start in found:
        agenda = [start]
        while agenda:
            text = agenda[-1]
            c, after = found[text]
            missing = [successor for successor in after.values() if successor not in best]
            if missing:
                agenda += missing
                continue
            agenda.pop()
            drawn = sum(a == b for a, b in zip(c.heads, heads, strict=True))
            best[text] = max((best[successor] for successor in after.values()), default=drawn)
    return best


@pytest.mark.parametrize(("name", "n"), [(name, n) for name, most in EXACT.items() for n in range(1, most + 1)])
def test_the_best_moves_are_those_that_lose_nothing(name, n):
    found = explore(name, n)
    for heads in trees(n):
        if not tree_class(name)(heads):
            continue
        best = most_arcs(found, heads)
        for text, (c, after) in found.items():
            if after:
                expected = [move for move, successor in after.items() if best[successor] == best[text]]
                assert best_moves(c, heads) == expected, (text, heads)


def test_systems_without_an_exact_dynamic_oracle():
    with pytest.raises(fastparse.Error, match="no exact dynamic oracle"):
        best_moves(fastparse.Configuration("swap", 2), [0, 1])
    with pytest.raises(fastparse.Error, match="a tree of 3 words"):
        best_moves(fastparse.Configuration("hybrid", 2), [0, 1, 2])
