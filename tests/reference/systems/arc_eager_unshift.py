"""Arc-eager under the tree constraint: words that are left over come back to the buffer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from tests.reference.base import Dynamic, UpTo
from tests.reference.systems.arc_eager import ArcEager

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class ArcEagerUnshift(ArcEager):
    """Start ([0], 1..n); final: ([0], empty).

    SHIFT       the buffer was never empty
    UNSHIFT     s1 back to the buffer; it is a headless word, and the buffer is empty

    The other moves are those of arc-eager; without a buffer there is REDUCE.
    """

    name = "arc-eager/unshift"
    table = (*ArcEager.table, "UNSHIFT")
    derives = "projective"
    up_to = UpTo(configurations=5, goals=6, reachable=6)
    dynamic = Dynamic(up_to=5, kept=(2614, 2614))

    def start(self) -> None:
        """The same, and the buffer is empty from the start where there are no words."""
        super().start()
        self.was_empty = not self.buffer

    def is_final(self) -> bool:
        """Only the root is left."""
        return self.stack == [0] and not self.buffer

    def state(self) -> tuple[Hashable, ...]:
        """The places, and whether SHIFT is barred."""
        return (*super().state(), self.was_empty)

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "UNSHIFT":
            return not self.buffer and self.s1 != 0 and not self.has_head(self.s1)
        if not self.buffer:
            return move == "REDUCE" and self.has_head(self.s1)
        return super().can(move) and not (move == "SHIFT" and self.was_empty)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "UNSHIFT":
            self.buffer.append(self.stack.pop())
        else:
            super().do(move, label)
        self.was_empty = self.was_empty or not self.buffer

    @staticmethod
    def bound(n: int) -> int:
        """Every word is shifted, comes back, gets a head and leaves."""
        return 4 * n

    def choose(self, todo: Todo) -> str:
        """Arc-eager's move, and in the end all words leave."""
        return super().choose(todo) if self.buffer else "REDUCE"
