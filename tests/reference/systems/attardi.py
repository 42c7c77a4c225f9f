"""Attardi's system of degree 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.base import UpTo
from tests.reference.systems.arc_standard import ArcStandardBuffer

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class Attardi(ArcStandardBuffer):
    """Arc-standard (buffer variant) plus, for a stack ..s2 s1 and a buffer b1..

    LEFT-ARC2    b1 -> s2, s2 removed; s2 is a word
    RIGHT-ARC2   s2 -> b1, b1 removed, s1 returns to the front of the buffer
    """

    name = "attardi"
    table = ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "LEFT-ARC2", "RIGHT-ARC2")
    derives = "attardi_degree2"
    up_to = UpTo(configurations=5, goals=6, reachable=6)
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC", "LEFT-ARC2", "RIGHT-ARC2"})

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "LEFT-ARC2":
            return len(self.stack) > 1 and self.s2 != 0
        if move == "RIGHT-ARC2":
            return len(self.stack) > 1
        return super().can(move)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "LEFT-ARC2":
            self.draw(self.b1, self.stack.pop(-2), label)
        elif move == "RIGHT-ARC2":
            self.draw(self.s2, self.b1, label)
            self.buffer[0] = self.stack.pop()
        else:
            super().do(move, label)

    def choose(self, todo: Todo) -> str:
        """An arc of degree 1 if possible, else of degree 2."""
        near = super().choose(todo)
        if near != "SHIFT":
            return near
        if todo.reducible(self, self.b1, self.s2):
            return "LEFT-ARC2"
        return "RIGHT-ARC2" if todo.reducible(self, self.s2, self.b1) else "SHIFT"
