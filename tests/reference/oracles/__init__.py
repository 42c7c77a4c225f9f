"""Static oracles, one rule after the other as they are stated.

`derive` returns the moves that build a tree; it raises ValueError when the tree is outside the class of the system.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.reference import Configuration
from tests.reference.base import System
from tests.reference.graphs import arcs_of
from tests.reference.oracles.follow import Arc, Next, by_search, follow
from tests.reference.oracles.planes import two_planar
from tests.reference.oracles.registers import Registers
from tests.reference.oracles.swap import Swap
from tests.reference.oracles.three_step import anchors, derive_pass, derive_three_step
from tests.reference.oracles.todo import Todo

__all__ = ["anchors", "by_search", "derive", "derive_three_step", "follow"]


def derive(goal: Sequence[Any], name: str, labels: Sequence[str] | None = None, **options: Any) -> list[str]:
    """The moves of the static oracle.

    Args:
        goal: heads, or pairs (head, dependent) for the systems that build graphs.
        name: of the system.
        labels: a label per word; heads only.
        options: of the system; `oracle` and `choices` are obeyed, `n` gives graphs their number of words.
    """
    if goal and isinstance(goal[0], tuple):
        n = options.pop("n", max((max(arc) for arc in goal), default=0))
        arcs = sorted(goal)
    else:
        n = options.pop("n", len(goal))
        arcs = arcs_of(goal)
    if options.get("root") == "absent":
        arcs = [arc for arc in arcs if arc[0] != 0]
    if name.startswith("three-step/"):
        return derive_pass(goal, name, labels)
    start = Configuration(name, n, **options)
    if name.startswith("dag/") or name == "three-registers":
        return by_search(start, arcs)
    return follow(start, arcs, chooser(start, goal, arcs), labels)


def chooser(start: System, goal: Sequence[Any], arcs: list[Arc]) -> Next:
    """The oracle of a system for one goal."""
    name, todo = start.name, Todo(arcs)
    if name == "swap":
        return Swap(goal, start.chosen["oracle"] == "lazy")
    if name in ("2-planar", "2-planar/graph"):
        return two_planar(start, arcs)
    if name.startswith("two-registers"):
        return Registers(goal, start.chosen["choices"])
    return lambda here: here.choose(todo)
