"""Oracles that look at nothing but the arcs still missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.reference.base import System
from tests.reference.stack_buffer import StackBufferSystem

Arc = tuple[int, int]


class Todo:
    """Oracles that look at nothing but arcs still missing."""

    def __init__(self, arcs: Iterable[Arc]) -> None:
        self.arcs = list(arcs)

    def wants(self, c: System, head: int, dependent: int) -> bool:
        """Whether the arc is in the goal and not drawn."""
        return (head, dependent) in self.arcs and not c.has_arc(head, dependent)

    def complete(self, c: System, word: int) -> bool:
        """Whether all dependents of a word are drawn."""
        return not any(self.wants(c, *arc) for arc in self.arcs if arc[0] == word)

    def reducible(self, c: System, head: int, dependent: int) -> bool:
        """Whether the arc is wanted and its dependent complete."""
        return self.wants(c, head, dependent) and self.complete(c, dependent)

    def arc_eager(self, c: StackBufferSystem) -> str:
        """Arcs at once; REDUCE what is complete and attached."""
        if self.reducible(c, c.b1, c.s1):
            return "LEFT-ARC"
        if self.wants(c, c.s1, c.b1):
            return "RIGHT-ARC"
        return "REDUCE" if c.stack and c.has_head(c.s1) and self.complete(c, c.s1) else "SHIFT"

    def arc_standard(self, c: StackBufferSystem) -> str:
        """Arcs as soon as the dependent is complete."""
        if self.reducible(c, c.s1, c.s2):
            return "LEFT-ARC"
        return "RIGHT-ARC" if self.reducible(c, c.s2, c.s1) else "SHIFT"

    def arc_standard_buffer(self, c: StackBufferSystem) -> str:
        """The same between stack and buffer."""
        if self.reducible(c, c.b1, c.s1):
            return "LEFT-ARC"
        return "RIGHT-ARC" if self.reducible(c, c.s1, c.b1) else "SHIFT"

    def hybrid(self, c: StackBufferSystem) -> str:
        """Left arcs from the buffer, right arcs within the stack."""
        if self.reducible(c, c.b1, c.s1):
            return "LEFT-ARC"
        return "RIGHT-ARC" if self.reducible(c, c.s2, c.s1) else "SHIFT"

    def attardi(self, c: StackBufferSystem) -> str:
        """An arc of degree 1 if possible, else of degree 2."""
        near = self.arc_standard_buffer(c)
        if near != "SHIFT":
            return near
        if self.reducible(c, c.b1, c.s2):
            return "LEFT-ARC2"
        return "RIGHT-ARC2" if self.reducible(c, c.s2, c.b1) else "SHIFT"

    def easy_first(self, c: Any) -> str:
        """The leftmost pair whose dependent is complete."""
        for i in range(1, len(c.pending)):
            left, right = c.pending[i - 1 : i + 1]
            if self.reducible(c, left, right):
                return f"ATTACH-LEFT({i})"
            if self.reducible(c, right, left):
                return f"ATTACH-RIGHT({i})"
        return "SHIFT"

    def covington(self, c: Any) -> str:
        """Arcs between the two places; SHIFT when nothing at or left of i concerns j."""
        i, j = c.focus
        if self.wants(c, j, i):
            return "LEFT-ARC"
        if self.wants(c, i, j):
            return "RIGHT-ARC"
        waiting = any((j, k) in self.arcs or (k, j) in self.arcs for k in range(i + 1))
        return "NO-ARC" if waiting else "SHIFT"

    def planar(self, c: StackBufferSystem) -> str:
        """Arcs with right end b1, the nearest left end first, REDUCE down to each left end; then SHIFT."""
        if self.wants(c, c.b1, c.s1):
            return "LEFT-ARC"
        if self.wants(c, c.s1, c.b1):
            return "RIGHT-ARC"
        waiting = any(self.wants(c, *arc) for arc in self.arcs if max(arc) == c.b1)
        return "REDUCE" if waiting else "SHIFT"
