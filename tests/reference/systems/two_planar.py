"""The 2-planar system and the k-planar one: stacks over one buffer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

from tests.reference import graphs as g
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
    options: ClassVar[dict[str, tuple[Any, ...]]] = {
        "root": ("token", "absent"),
        "oracle": ("greedy", "fewest"),
        "planes": (),
    }
    derives = "two_planar"
    up_to = UpTo(configurations=3, goals=6, reachable=4)
    dynamic = Dynamic(up_to=4)

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


class TwoPlanarGraph(TwoPlanar):
    """The same for graphs: an arc must be new and not enter 0.

    single_head: its dependent has no head. acyclic: its dependent does not reach its head by directed arcs.
    """

    name = "2-planar/graph"
    options: ClassVar[dict[str, tuple[Any, ...]]] = {
        "single_head": (False, True),
        "acyclic": (False, True),
        "root": ("absent", "token"),
        "doubles": (True, False),
        "oracle": ("greedy", "fewest"),
    }
    derives = ""
    up_to = UpTo(configurations=3, goals=4, reachable=4)
    dynamic = None
    graph = True

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if not self.stack or not move.endswith("ARC"):
            return super().can(move)
        head, dependent = (self.b1, self.s1) if move == "LEFT-ARC" else (self.s1, self.b1)
        if dependent == 0 or self.is_taken(head, dependent):
            return False
        if self.chosen["single_head"] and self.has_head(dependent):
            return False
        return not (self.chosen["acyclic"] and self.reaches(dependent, head))

    @classmethod
    def graph_class(cls, options: Mapping[str, Any]) -> Callable[[Any, int], bool] | None:
        """2-planar graphs with as many constraints as there are options."""

        def member(arcs: Any, n: int) -> bool:
            return (
                g.is_k_planar(arcs, 2)
                and (not options["single_head"] or g.is_single_head(arcs))
                and (not options["acyclic"] or g.is_acyclic(arcs))
            )

        return member


class KPlanar(TwoPlanar):
    """The same with k stacks, of which the first is active.

    SWITCH       switch="cycle": the first stack becomes the last; not after k - 1 others
    SWITCH(i)    switch="choose": the first stack and the i-th of the others change places; not right after another
    """

    name = "k-planar"
    options: ClassVar[dict[str, tuple[Any, ...]]] = {
        "k": (2, 3, 4),
        "switch": ("cycle", "choose"),
        "root": ("token", "absent"),
        "planes": (),
    }
    up_to = UpTo(configurations=3, goals=6, reachable=4)
    dynamic = None

    @classmethod
    def tried(cls, options: Mapping[str, Any]) -> UpTo:
        """With more stacks there are ten times as many configurations, and more."""
        return cls.up_to if options["k"] == 2 else UpTo(configurations=2, goals=5, reachable=3)

    def start(self) -> None:
        """All stacks are empty."""
        super().start()
        k = self.chosen["k"]
        cycling = self.chosen["switch"] == "cycle"
        switches = ("SWITCH",) if cycling or k == 2 else tuple(f"SWITCH({i})" for i in range(1, k))
        self.table = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC", *switches)
        self.most = k - 1 if cycling else 1
        self.others: tuple[tuple[int, ...], ...] = ((),) * (k - 1)
        self.switches = 0

    def state(self) -> tuple[Hashable, ...]:
        """All stacks, the buffer, and how many moves in a row were SWITCHes."""
        return (tuple(self.stack), self.others, tuple(self.buffer), self.switches)

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        return self.switches < self.most if move.startswith("SWITCH") else super().can(move)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if not move.startswith("SWITCH"):
            if move == "SHIFT":
                self.others = tuple((*other, self.b1) for other in self.others)
            super().do(move, label)
            self.switches = 0
        else:
            self.switches += 1
            here = tuple(self.stack)
            if self.chosen["switch"] == "cycle":
                self.stack, self.others = list(self.others[0]), (*self.others[1:], here)
            else:
                i = int(move[7:-1]) - 1 if move != "SWITCH" else 0
                self.stack = list(self.others[i])
                self.others = (*self.others[:i], here, *self.others[i + 1 :])
        self.inactive = list(self.others[0])

    @staticmethod
    def bound(n: int) -> int:
        """Of four planes: n + 1 SHIFTs, 4(n + 1) REDUCEs and n arcs, and three SWITCHes before and after each."""
        return 24 * (n + 1)
