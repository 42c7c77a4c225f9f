"""Covington's list-based system without projectivity."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from tests.reference.base import Dynamic, System, UpTo

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class Covington(System):
    """Start: focus (0, 1); final: the second focus is n + 1.

    SHIFT       (i, j) becomes (j, j+1)
    NO-ARC      i decreases; i >= 0
    LEFT-ARC    j -> i, i decreases; i is a headless word that j does not descend from
    RIGHT-ARC   i -> j, i decreases; j is headless and not above i
    """

    name = "covington"
    table = ("SHIFT", "NO-ARC", "LEFT-ARC", "RIGHT-ARC")
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC"})
    derives = "all"
    up_to = UpTo(configurations=5, goals=5, reachable=5)
    dynamic = Dynamic(up_to=4)

    focus: tuple[int, int]

    def start(self) -> None:
        """Look at the root and the first word."""
        self.focus = (0, 1)

    def is_final(self) -> bool:
        """Every word was the second focus."""
        return self.focus[1] == self.n + 1

    def state(self) -> tuple[Hashable, ...]:
        """The two places."""
        return (self.focus,)

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        i, j = self.focus
        if move == "SHIFT":
            return True
        if i < 0:
            return False
        if move == "NO-ARC":
            return True
        return self.may_head(j, i) if move == "LEFT-ARC" else self.may_head(i, j)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        i, j = self.focus
        if move == "SHIFT":
            self.focus = (j, j + 1)
            return
        if move == "LEFT-ARC":
            self.draw(j, i, label)
        elif move == "RIGHT-ARC":
            self.draw(i, j, label)
        self.focus = (i - 1, j)

    @staticmethod
    def bound(n: int) -> int:
        """Every pair is passed, and every word shifted."""
        return n * (n + 1) // 2 + n

    def choose(self, todo: Todo) -> str:
        """Arcs between the two places; SHIFT when nothing at or left of i concerns j."""
        i, j = self.focus
        if todo.wants(self, j, i):
            return "LEFT-ARC"
        if todo.wants(self, i, j):
            return "RIGHT-ARC"
        waiting = any((j, k) in todo.arcs or (k, j) in todo.arcs for k in range(i + 1))
        return "NO-ARC" if waiting else "SHIFT"
