"""Two systems for graphs in which a word may have several heads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from tests.reference import graphs as g
from tests.reference.base import UpTo
from tests.reference.systems.stack_buffer import StackBufferSystem


class DagSystem(StackBufferSystem):
    """Start (empty, 1..n), or (empty, 0..n) with root="token"; final when the buffer is empty.

    Arcs are new and do not enter 0; with acyclic=True none closes a cycle.
    """

    graph = True
    options: ClassVar[dict[str, tuple[Any, ...]]] = {
        "acyclic": (True, False),
        "root": ("absent", "token"),
        "doubles": (True, False),
    }

    def start(self) -> None:
        """Everything in the buffer."""
        self.stack = []
        self.buffer = list(range(0 if self.chosen["root"] == "token" else 1, self.n + 1))

    def may_draw(self, head: int, dependent: int) -> bool:
        """Whether the arc is new and closes no cycle."""
        if dependent == 0 or self.is_taken(head, dependent):
            return False
        return not (self.chosen["acyclic"] and self.reaches(dependent, head))

    @classmethod
    def graph_class(cls, options: Mapping[str, Any]) -> Callable[[Any, int], bool] | None:
        """Planar acyclic graphs without covered roots; with cycles as printed nothing that has a name."""
        if not options["acyclic"]:
            return None
        return lambda arcs, n: g.is_planar(arcs) and g.is_acyclic(arcs) and g.has_no_covered_root(arcs, n)


class DagArcEager(DagSystem):
    """The eager system.

    SHIFT
    REDUCE      s1 has a head
    LEFT-ARC    b1 -> s1; the opposite arc does not exist
    RIGHT-ARC   s1 -> b1; the opposite arc does not exist
    """

    name = "dag/arc-eager"
    table = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC")
    up_to = UpTo(configurations=3, goals=4, reachable=4)
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC"})

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return True
        if not self.stack:
            return False
        if move == "REDUCE":
            return self.has_head(self.s1)
        head, dependent = (self.b1, self.s1) if move == "LEFT-ARC" else (self.s1, self.b1)
        return self.may_draw(head, dependent) and not self.has_arc(dependent, head)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.shift()
        elif move == "REDUCE":
            self.stack.pop()
        elif move == "LEFT-ARC":
            self.draw(self.b1, self.s1, label)
        else:
            self.draw(self.s1, self.b1, label)


class DagArcStandard(DagSystem):
    """The bottom-up system.

    SHIFT
    LEFT-REDUCE    b1 -> s1, s1 popped
    RIGHT-REDUCE   s1 -> b1, b1 removed, s1 returns to the front of the buffer
    LEFT-ATTACH    b1 -> s1; the opposite arc does not exist
    RIGHT-ATTACH   s1 -> b1, s1 returns to the buffer before b1; the opposite arc does not exist
    """

    name = "dag/arc-standard"
    table = ("SHIFT", "LEFT-REDUCE", "RIGHT-REDUCE", "LEFT-ATTACH", "RIGHT-ATTACH")
    up_to = UpTo(configurations=3, goals=4, reachable=4)
    arc_moves = frozenset({"LEFT-REDUCE", "RIGHT-REDUCE", "LEFT-ATTACH", "RIGHT-ATTACH"})

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return True
        if not self.stack:
            return False
        head, dependent = (self.b1, self.s1) if move.startswith("LEFT") else (self.s1, self.b1)
        return self.may_draw(head, dependent) and not (move.endswith("ATTACH") and self.has_arc(dependent, head))

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move == "SHIFT":
            self.shift()
            return
        if move.startswith("LEFT"):
            self.draw(self.b1, self.s1, label)
        else:
            self.draw(self.s1, self.b1, label)
        if move == "LEFT-REDUCE":
            self.stack.pop()
        elif move == "RIGHT-REDUCE":
            self.buffer[0] = self.stack.pop()
        elif move == "RIGHT-ATTACH":
            self.buffer.insert(0, self.stack.pop())
