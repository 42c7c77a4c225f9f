"""Dynamic oracles against the best of all derivations, in every configuration of a few words, for every tree."""

from __future__ import annotations

import random

import pytest

import fastparse
from fastparse.theory.exploration import identity
from fastparse.theory.inspection import best_moves
from tests.reference import SYSTEMS
from tests.transition_systems.cases import tree_class, trees

DYNAMIC = {name: twin.dynamic for name, twin in SYSTEMS.items() if twin.dynamic}
EXACT = {name: claim for name, claim in DYNAMIC.items() if claim.kept is None}
CLOSE = {name: claim for name, claim in DYNAMIC.items() if claim.kept is not None}


def explore(name, n):
    """All configurations by what tells them apart -> (configuration, move -> the one after it)."""
    return after_one(fastparse.Configuration(name, n))


def after_one(start):
    """The same of what can be reached from one."""
    found, agenda = {}, [start]
    while agenda:
        c = agenda.pop()
        if identity(c) in found:
            continue
        after = {}
        for move in c.legal():
            successor = c.copy()
            successor.apply(move)
            after[move] = identity(successor)
            agenda.append(successor)
        found[identity(c)] = c, after
    return found


def ends_first(found):
    """The configurations in an order in which what follows one comes before it."""
    order, met = [], set()
    for start in found:
        agenda = [start]
        while agenda:
            text = agenda[-1]
            missing = [successor for successor in found[text][1].values() if successor not in met]
            if missing:
                agenda += missing
                continue
            agenda.pop()
            if text not in met:
                met.add(text)
                order.append(text)
    return order


def arcs_of(c, heads):
    """How many arcs of a tree a configuration has drawn."""
    return sum(a == b for a, b in zip(c.heads, heads, strict=True))


def most_arcs(found, order, heads):
    """Configuration -> the arcs of the tree in the best configuration it can end in."""
    best = {}
    for text in order:
        c, after = found[text]
        best[text] = max(best[successor] for successor in after.values()) if after else arcs_of(c, heads)
    return best


CHOOSY = ("2-planar",)  # those that leave some of the best moves out
# Of systems that leave most to choose, with the most words, the default takes each tenth tree: all take a minute each.
LONGEST = {name: claim.up_to for name, claim in EXACT.items()} | {"2-planar": 3}  # with four words it is sampled
MANY = {(name, LONGEST[name]) for name in ("planar", "covington", "2-planar")}
EVERY = [(name, n, 10 if (name, n) in MANY else 1) for name in EXACT for n in range(1, LONGEST[name] + 1)]


@pytest.mark.parametrize(
    ("name", "n", "step"), EVERY + [pytest.param(*one, 1, marks=pytest.mark.slow) for one in sorted(MANY)]
)
def test_the_best_moves_are_those_that_lose_nothing(name, n, step):
    found = explore(name, n)
    order = ends_first(found)
    for heads in trees(n)[::step]:
        if not tree_class(name)(heads):
            continue
        best = most_arcs(found, order, heads)
        moves = fastparse.derive(heads, name).moves
        for text, (c, after) in found.items():
            if after:
                expected = [move for move, successor in after.items() if best[successor] == best[text]]
                offered = best_moves(c, heads, moves)
                assert offered == expected or (name in CHOOSY and offered and set(offered) < set(expected)), (c, heads)


@pytest.mark.parametrize(("n", "number"), [(4, 8), (5, 4), (6, 2)])
def test_the_best_moves_of_2_planar_in_longer_sentences(n, number):
    """Somewhere on a random walk, or after a mistake on the way to the tree."""
    source, some = random.Random(n), [heads for heads in trees(n) if tree_class("2-planar")(heads)]
    while number:
        heads = source.choice(some)
        moves = fastparse.derive(heads, "2-planar").moves
        c = fastparse.Configuration("2-planar", n)
        mistakes = source.random()
        while len(c.buffer) > 2:
            best = best_moves(c, heads, moves)
            c.apply(source.choice(c.legal() if source.random() < mistakes else best))
        found = after_one(c)
        best = most_arcs(found, ends_first(found), heads)
        for text, (here, after) in found.items():
            if after:
                expected = [move for move, successor in after.items() if best[successor] == best[text]]
                offered = best_moves(here, heads, moves)
                assert offered
                assert set(offered) <= set(expected), (here, heads)
        number -= 1


@pytest.mark.parametrize(
    ("name", "n"),
    [
        pytest.param(name, n, marks=pytest.mark.slow if n > 4 else ())
        for name, claim in CLOSE.items()
        for n in range(1, claim.up_to + 1)
    ],
)
def test_best_moves_build_the_tree(name, n):
    """Whichever of the best moves are made from the start, the tree is built."""
    for heads in trees(n):
        if not tree_class(name)(heads):
            continue
        moves = fastparse.derive(heads, name).moves
        seen, agenda = set(), [fastparse.Configuration(name, n)]
        while agenda:
            c = agenda.pop()
            if identity(c) in seen:
                continue
            seen.add(identity(c))
            if c.is_final():
                assert c.heads == list(heads)
                continue
            best = best_moves(c, heads, moves)
            assert best, (c, heads)
            for move in best:
                agenda.append(c.copy())
                agenda[-1].apply(move)


# 2-planar has 4,400 configurations of three words.
@pytest.mark.parametrize(
    ("name", "n"),
    [(name, n) for name in CLOSE for n in (2, 3) if (name, n) != ("2-planar", 3)]
    + [pytest.param("2-planar", 3, marks=pytest.mark.slow)],
)
def test_best_moves_lose_little_after_mistakes(name, n):
    """From any configuration best moves lead to an end. What they draw of the tree, and what can be drawn, counted."""
    drawn, possible = 0, 0
    found = explore(name, n)
    order = ends_first(found)
    for heads in trees(n):
        if not tree_class(name)(heads):
            continue
        moves = fastparse.derive(heads, name).moves
        best, ends = most_arcs(found, order, heads), {}  # ends: the arcs drawn where best moves lead to
        for text in order:
            c, after = found[text]
            choice = best_moves(c, heads, moves) if after else []
            assert choice or not after or name == "two-registers"
            ends[text] = ends[after[choice[0]]] if choice else arcs_of(c, heads)
        drawn += sum(ends.values())
        possible += sum(best.values())
    assert (drawn, possible) == (CLOSE[name].kept if n == 3 else (possible, possible))  # of two words none is lost


def test_two_registers_where_a_word_has_its_head_between_itself_and_a_dependent():
    """5 has lost its head; 5 -> 4 and 4 -> 6 do not cross, but only a register keeps 4 for both."""
    heads = [0, 1, 2, 5, 3, 4]
    c = fastparse.Configuration("two-registers", 6)
    for move in ("SHIFT", "SHIFT", "SHIFT", "RIGHT-ARC", "REDUCE"):
        c.apply(move)
    found = best_moves(c, heads, fastparse.derive(heads, "two-registers").moves)
    assert "STORE(none)" in found
    assert not {"SHIFT", "RIGHT-ARC"} & set(found)


def test_what_cannot_be_asked():
    with pytest.raises(fastparse.Error, match="no dynamic oracle"):
        best_moves(fastparse.Configuration("swap", 2), [0, 1])
    with pytest.raises(fastparse.Error, match="needs the moves"):
        best_moves(fastparse.Configuration("two-registers", 2), [0, 1])
    with pytest.raises(fastparse.Error, match="a tree of 3 words"):
        best_moves(fastparse.Configuration("hybrid", 2), [0, 1, 2])
