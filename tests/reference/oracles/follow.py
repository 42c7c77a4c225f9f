"""Running an oracle, and what replaces one: search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.reference.base import System

Arc = tuple[int, int]
Next = Callable[[Any], str]
"""The move an oracle chooses in a configuration."""


def follow(start: System, arcs: Sequence[Arc], choose: Next, labels: Sequence[str] | None = None) -> list[str]:
    """Do what an oracle says until the end, and insist on the goal."""
    here, moves = start.copy(), []
    while not here.is_final():
        move = choose(here)
        if move not in here.legal():
            raise ValueError(f"{start.name} cannot build {arcs!r}: {move} is not legal in {here!r}")
        before = len(here.drawn)
        here.do(move, None)
        if len(here.drawn) > before and labels is not None:
            move = f"{move}:{labels[here.drawn[-1].dependent - 1]}"
        moves.append(move)
    if here.arcs != sorted(arcs):
        raise ValueError(f"{start.name} cannot build {arcs!r}: it built {here.arcs!r}")
    return moves


def by_search(start: System, arcs: Iterable[Arc], cost: Callable[[str], int] | None = None) -> list[str]:
    """A derivation of exactly these arcs, of least cost where each move costs 0 or 1; any if no cost is given."""
    goal = set(arcs)
    layers: list[list[tuple[System, list[str]]]] = [[(start, [])], []]
    seen = set()
    while any(layers):
        if not layers[0]:
            layers.pop(0)
            layers.append([])
            continue
        here, moves = layers[0].pop()
        if here.key() in seen:
            continue
        seen.add(here.key())
        if here.is_final() and set(here.arcs) == goal:
            return moves
        for move in reversed(here.legal()):
            after = here.copy()
            after.do(move, None)
            if goal.issuperset(after.arcs):
                layers[cost(move) if cost else 0].append((after, [*moves, move]))
    raise ValueError(f"{start.name} cannot build {sorted(goal)!r}")
