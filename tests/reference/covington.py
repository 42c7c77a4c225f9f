"""Covington's list-based system without projectivity."""

from __future__ import annotations

from collections.abc import Hashable

from tests.reference.base import System


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
