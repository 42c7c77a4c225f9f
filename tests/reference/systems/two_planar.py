"""The 2-planar system: two stacks over one buffer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from tests.reference.base import Dynamic, UpTo
from tests.reference.systems.stack_buffer import StackBufferSystem


class TwoPlanar(StackBufferSystem):
    """Start (empty, empty, 0..n), or 1..n with root="absent"; final when the buffer is empty.

    SHIFT       b1 onto both stacks
    REDUCE      top of the active stack popped
    LEFT-ARC    b1 -> s1 of the active stack
    RIGHT-ARC   s1 -> b1
    SWITCH      the stacks change places; not right after a SWITCH

    Arcs: the dependent is a headless word, and both ends lie in different components.
    """

    name = "2-planar"
    table = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", "SWITCH")
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC"})
    options: ClassVar[dict[str, tuple[Any, ...]]] = {"root": ("token", "absent"), "oracle": ("greedy", "fewest")}
    derives = "two_planar"
    up_to = UpTo(configurations=3, goals=6, reachable=4)
    dynamic = Dynamic(up_to=4, kept=(84961, 86140))

    inactive: list[int]

    def start(self) -> None:
        """Everything in the buffer."""
        self.stack = []
        self.inactive = []
        self.buffer = list(range(0 if self.chosen["root"] == "token" else 1, self.n + 1))
        self.just_switched = False

    def state(self) -> tuple[Hashable, ...]:
        """Both stacks, the buffer, and whether SWITCH is barred."""
        return (tuple(self.stack), tuple(self.inactive), tuple(self.buffer), self.just_switched)

    def connected(self, x: int, y: int) -> bool:
        """Whether arcs, taken in either direction, join two positions."""
        component = {x}
        while True:
            grown = component | {
                end for arc in self.drawn for end in arc[:2] if arc.head in component or arc.dependent in component
            }
            if grown == component:
                return y in component
            component = grown

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return True
        if move == "SWITCH":
            return not self.just_switched
        if not self.stack:
            return False
        if move == "REDUCE":
            return True
        dependent = self.s1 if move == "LEFT-ARC" else self.b1
        return dependent != 0 and not self.has_head(dependent) and not self.connected(self.s1, self.b1)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.inactive.append(self.b1)
            self.shift()
        elif move == "REDUCE":
            self.stack.pop()
        elif move == "LEFT-ARC":
            self.draw(self.b1, self.s1, label)
        elif move == "RIGHT-ARC":
            self.draw(self.s1, self.b1, label)
        else:
            self.stack, self.inactive = self.inactive, self.stack
        self.just_switched = move == "SWITCH"

    @staticmethod
    def bound(n: int) -> int:
        """The root is one of the words of the buffer."""
        return 8 * (n + 1) - 6
