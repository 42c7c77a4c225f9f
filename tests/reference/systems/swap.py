"""Arc-standard (stack variant) with reordering."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.reference.base import UpTo
from tests.reference.systems.arc_standard import ArcStandard


class Swap(ArcStandard):
    """Arc-standard plus

    SWAP   s2 returns to the front of the buffer; 0 < s2 < s1 in the order of the sentence
    """

    name = "swap"
    table = ("SHIFT", "LEFT-ARC", "RIGHT-ARC", "SWAP")
    options: ClassVar[dict[str, tuple[Any, ...]]] = {"oracle": ("lazy", "eager")}
    derives = "all"
    up_to = UpTo(configurations=5, goals=5, reachable=5)

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SWAP":
            return 0 < self.s2 < self.s1
        return super().can(move)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SWAP":
            self.buffer.insert(0, self.stack.pop(-2))
        else:
            super().do(move, label)

    @staticmethod
    def bound(n: int) -> int:
        """Every swap is a move, and a shift again."""
        return n + n * n
