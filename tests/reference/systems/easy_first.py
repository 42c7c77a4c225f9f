"""Easy-first: neighbours in one list are joined, in any order."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from tests.reference.base import System, UpTo

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class EasyFirst(System):
    """Start: pending 0..n; final: pending [0].

    SHIFT             the front of the list goes away for good; it is a word
    ATTACH-LEFT(i)    item i -> item i+1, item i+1 removed
    ATTACH-RIGHT(i)   item i+1 -> item i, item i removed; it is a word

    The root is never removed, so it stays in front, and SHIFT (which divides the list of a forest without root) never
    applies.
    """

    name = "easy-first"
    derives = "projective"
    up_to = UpTo(configurations=4, goals=5)

    pending: list[int]

    def start(self) -> None:
        """Everything is pending; the table has a column per place."""
        self.pending = list(range(self.n + 1))
        places = range(1, self.n + 1)
        attachments = [f"ATTACH-LEFT({i})" for i in places] + [f"ATTACH-RIGHT({i})" for i in places]
        self.table = ("SHIFT", *attachments)
        self.arc_moves = frozenset(attachments)

    def is_final(self) -> bool:
        """Only the root is left."""
        return self.pending == [0]

    def state(self) -> tuple[Hashable, ...]:
        """The list."""
        return (tuple(self.pending),)

    @staticmethod
    def parse(move: str) -> tuple[int, bool]:
        """The place, counted from 1, and whether the left item is the head."""
        return int(move[move.index("(") + 1 : -1]), move.startswith("ATTACH-LEFT")

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return self.pending[0] != 0
        i, left_is_head = self.parse(move)
        return i < len(self.pending) and (left_is_head or self.pending[i - 1] != 0)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.pending.pop(0)
            return
        i, left_is_head = self.parse(move)
        left, right = self.pending[i - 1 : i + 1]
        if left_is_head:
            self.draw(left, right, label)
            self.pending.remove(right)
        else:
            self.draw(right, left, label)
            self.pending.remove(left)

    @staticmethod
    def bound(n: int) -> int:
        """Every move draws an arc."""
        return n

    def choose(self, todo: Todo) -> str:
        """The leftmost pair whose dependent is complete."""
        for i in range(1, len(self.pending)):
            left, right = self.pending[i - 1 : i + 1]
            if todo.reducible(self, left, right):
                return f"ATTACH-LEFT({i})"
            if todo.reducible(self, right, left):
                return f"ATTACH-RIGHT({i})"
        return "SHIFT"
