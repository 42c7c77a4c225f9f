"""Arc-eager: an arc is drawn as soon as both its ends are in sight."""

from __future__ import annotations

from tests.reference.stack_buffer import StackBufferSystem


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
