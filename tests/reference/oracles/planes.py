"""The oracles of the 2-planar system: which crossed arc goes to which plane, and when to change planes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from tests.reference import graphs as g
from tests.reference.base import NONE, System
from tests.reference.oracles.follow import Arc, Next, follow
from tests.reference.oracles.todo import Todo
from tests.reference.systems.two_planar import TwoPlanar


def two_planar(start: System, arcs: list[Arc]) -> Next:
    """The oracle for the chosen policy of planes."""
    if not g.is_k_planar(arcs, 2):
        raise ValueError(f"2-planar cannot build {arcs!r}: not 2-planar")
    if start.chosen["oracle"] == "greedy":
        return Planes(arcs, {})
    components = crossing_components(arcs)
    runs = []
    for flips in product((0, 1), repeat=len(components)):
        planes = {
            arc: side ^ flip for sides, flip in zip(components, flips, strict=True) for arc, side in sides.items()
        }
        if flips[:1] != (1,):
            moves = follow(start, arcs, Planes(arcs, planes))
            runs.append((moves.count("SWITCH"), flips, planes))
    return Planes(arcs, min(runs, key=lambda run: run[:2])[2])


def crossing_components(arcs: Iterable[Arc]) -> list[dict[Arc, int]]:
    """Connected parts of the crossing graph, two-coloured, in the order of their first arc by right end.

    The first arc of each has colour 0; among arcs with one right end, the one with the rightmost left end is first.
    """
    crossed = sorted(g.crossed_arcs(arcs), key=lambda arc: (max(arc), -min(arc)))
    components: list[dict[Arc, int]] = []
    for first in crossed:
        if any(first in component for component in components):
            continue
        component = {first: 0}
        waiting = [first]
        while waiting:
            arc = waiting.pop(0)
            for other in crossed:
                if g.cross(arc, other) and other not in component:
                    component[other] = 1 - component[arc]
                    waiting.append(other)
        components.append(component)
    return components


class Planes(Todo):
    """The 2-planar oracle for an assignment of crossed arcs to planes 0 (active at the start) and 1.

    Components without planes get them when their first arc is due: it goes to the plane active at that moment.
    """

    def __init__(self, arcs: list[Arc], planes: dict[Arc, int]) -> None:
        super().__init__(arcs)
        self.planes = dict(planes)
        self.components = crossing_components(arcs)
        self.active, self.placed_up_to = 0, NONE

    def __call__(self, c: TwoPlanar) -> str:
        """Arcs of the active plane, then SWITCH and those of the other, then SHIFT."""
        if c.b1 > self.placed_up_to:
            self.place(c.b1)
            self.placed_up_to = c.b1
        due = [arc for arc in self.arcs if max(arc) == c.b1 and not c.has_arc(*arc)]
        here = [arc for arc in due if self.planes[arc] == self.active]
        if here:
            left, (head, _) = max((min(arc), arc) for arc in here)
            if c.s1 != left:
                return "REDUCE"
            return "LEFT-ARC" if head == c.b1 else "RIGHT-ARC"
        if due:
            self.active = 1 - self.active
            return "SWITCH"
        return "SHIFT"

    def place(self, right: int) -> None:
        """Give a plane to every arc that ends here."""
        due = [arc for arc in self.arcs if max(arc) == right]
        for component in self.components:
            ending = [arc for arc in component if arc in due and arc not in self.planes]
            if ending:
                first = max(ending, key=min)
                self.planes.update({arc: self.active ^ component[first] ^ side for arc, side in component.items()})
        needed = {self.planes[arc] for arc in due if arc in self.planes}
        free = self.active if not needed or self.active in needed else 1 - self.active
        self.planes.update({arc: free for arc in due if arc not in self.planes})
