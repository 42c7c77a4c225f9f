"""What oracles ask about the arcs still missing."""

from __future__ import annotations

from collections.abc import Iterable

from tests.reference.base import System

Arc = tuple[int, int]


class Todo:
    """The arcs of the goal, compared with those of a configuration."""

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
