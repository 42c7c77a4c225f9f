"""Arc-standard in its stack and its buffer variant, and the hybrid of the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.base import Dynamic, UpTo
from tests.reference.systems.stack_buffer import StackBufferSystem

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class ArcStandard(StackBufferSystem):
    """Start ([0], 1..n); final ([0], empty).

    SHIFT
    LEFT-ARC    s1 -> s2, s2 removed; s2 is a word
    RIGHT-ARC   s2 -> s1, s1 popped
    """

    name = "arc-standard"
    table: tuple[str, ...] = ("SHIFT", "LEFT-ARC", "RIGHT-ARC")
    derives = "projective"
    up_to = UpTo(configurations=5, goals=6, reachable=6)
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC"})

    def is_final(self) -> bool:
        """Only the root is left."""
        return self.stack == [0] and not self.buffer

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return bool(self.buffer)
        if len(self.stack) < 2:
            return False
        return self.s2 != 0 if move == "LEFT-ARC" else True

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.shift()
        elif move == "LEFT-ARC":
            self.draw(self.s1, self.stack.pop(-2), label)
        else:
            self.draw(self.s2, self.stack.pop(), label)

    @staticmethod
    def bound(n: int) -> int:
        """Every word is shifted and gets a head."""
        return 2 * n

    def choose(self, todo: Todo) -> str:
        """Arcs as soon as the dependent is complete."""
        if todo.reducible(self, self.s1, self.s2):
            return "LEFT-ARC"
        return "RIGHT-ARC" if todo.reducible(self, self.s2, self.s1) else "SHIFT"


class Hybrid(ArcStandard):
    """Start ([0], 1..n); final ([0], empty).

    SHIFT
    LEFT-ARC    b1 -> s1, s1 popped; s1 is a word
    RIGHT-ARC   s2 -> s1, s1 popped
    """

    name = "hybrid"
    up_to = UpTo(configurations=5, goals=6, reachable=6)
    dynamic = Dynamic(up_to=4)

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "LEFT-ARC":
            return bool(self.buffer) and bool(self.stack) and self.s1 != 0
        return super().can(move)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "LEFT-ARC":
            self.draw(self.b1, self.stack.pop(), label)
        else:
            super().do(move, label)

    def choose(self, todo: Todo) -> str:
        """Left arcs from the buffer, right arcs within the stack."""
        if todo.reducible(self, self.b1, self.s1):
            return "LEFT-ARC"
        return "RIGHT-ARC" if todo.reducible(self, self.s2, self.s1) else "SHIFT"


class ArcStandardBuffer(StackBufferSystem):
    """Start ([0], 1..n); final when the buffer is empty.

    SHIFT
    LEFT-ARC    b1 -> s1, s1 popped; s1 is a word
    RIGHT-ARC   s1 -> b1, b1 removed, s1 returns to the front of the buffer
    """

    name = "arc-standard/buffer"
    table: tuple[str, ...] = ("SHIFT", "LEFT-ARC", "RIGHT-ARC")
    derives = "projective"
    up_to = UpTo(configurations=5, goals=6, reachable=6)
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC"})

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return True
        if not self.stack:
            return False
        return self.s1 != 0 if move == "LEFT-ARC" else True

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.shift()
        elif move == "LEFT-ARC":
            self.draw(self.b1, self.stack.pop(), label)
        else:
            self.draw(self.s1, self.b1, label)
            self.buffer[0] = self.stack.pop()

    @staticmethod
    def bound(n: int) -> int:
        """Every word is shifted and gets a head."""
        return 2 * n

    def choose(self, todo: Todo) -> str:
        """The same between stack and buffer."""
        if todo.reducible(self, self.b1, self.s1):
            return "LEFT-ARC"
        return "RIGHT-ARC" if todo.reducible(self, self.s1, self.b1) else "SHIFT"
