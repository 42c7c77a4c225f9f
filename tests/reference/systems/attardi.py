"""Attardi's system of degree 2 and 3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tests.reference.base import UpTo
from tests.reference.systems.arc_standard import ArcStandardBuffer

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class Attardi(ArcStandardBuffer):
    """Arc-standard (buffer variant) plus, for a stack ..s2 s1 and a buffer b1..

    LEFT-ARC2    b1 -> s2, s2 removed; s2 is a word
    RIGHT-ARC2   s2 -> b1, b1 removed, s1 returns to the front of the buffer

    and with degree=3 the same for the word below, ..s3 s2 s1, as LEFT-ARC3 and RIGHT-ARC3.
    """

    name = "attardi"
    options: ClassVar[dict[str, tuple[Any, ...]]] = {"degree": (2, 3)}
    derives = "attardi_degree2"
    up_to = UpTo(configurations=5, goals=6, reachable=6)

    def __init__(self, n: int, **options: Any) -> None:
        super().__init__(n, **options)
        degrees = range(1, self.chosen["degree"] + 1)
        self.depth = {
            f"{side}-ARC{degree if degree > 1 else ''}": degree for degree in degrees for side in ("LEFT", "RIGHT")
        }
        self.table = ("SHIFT", *self.depth)
        self.arc_moves = frozenset(self.depth)

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return True
        depth = self.depth[move]
        return len(self.stack) >= depth and (move.startswith("RIGHT") or self.stack[-depth] != 0)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.shift()
        elif move.startswith("LEFT"):
            self.draw(self.b1, self.stack.pop(-self.depth[move]), label)
        else:
            self.draw(self.stack[-self.depth[move]], self.b1, label)
            self.buffer[0] = self.stack.pop()

    def choose(self, todo: Todo) -> str:
        """The arc of the lowest degree."""
        for move, depth in self.depth.items():
            if len(self.stack) >= depth:
                other = self.stack[-depth]
                arc = (self.b1, other) if move.startswith("LEFT") else (other, self.b1)
                if todo.reducible(self, *arc):
                    return move
        return "SHIFT"
