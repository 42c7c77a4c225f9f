"""Arc-eager: an arc is drawn as soon as both its ends are in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.base import Dynamic, UpTo
from tests.reference.systems.stack_buffer import StackBufferSystem

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class ArcEager(StackBufferSystem):
    """Start ([0], 1..n); final when the buffer is empty.

    SHIFT
    REDUCE      s1 has a head
    LEFT-ARC    b1 -> s1, s1 popped; s1 is a headless word
    RIGHT-ARC   s1 -> b1, b1 pushed
    """

    name = "arc-eager"
    table = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC")
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC"})
    derives = "projective"
    up_to = UpTo(configurations=5, goals=6, reachable=6)
    dynamic = Dynamic(up_to=4)

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return True
        if not self.stack:
            return False
        if move == "REDUCE":
            return self.has_head(self.s1)
        if move == "LEFT-ARC":
            return self.s1 != 0 and not self.has_head(self.s1)
        return True

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.shift()
        elif move == "REDUCE":
            self.stack.pop()
        elif move == "LEFT-ARC":
            self.draw(self.b1, self.stack.pop(), label)
        else:
            self.draw(self.s1, self.b1, label)
            self.shift()

    @staticmethod
    def bound(n: int) -> int:
        """Every word comes onto the stack, and all but the last may leave it."""
        return 2 * n - 1 if n else 0

    def choose(self, todo: Todo) -> str:
        """Arcs at once; REDUCE what is complete and attached."""
        if todo.reducible(self, self.b1, self.s1):
            return "LEFT-ARC"
        if todo.wants(self, self.s1, self.b1):
            return "RIGHT-ARC"
        return "REDUCE" if self.stack and self.has_head(self.s1) and todo.complete(self, self.s1) else "SHIFT"
