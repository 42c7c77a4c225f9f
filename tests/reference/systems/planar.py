"""The planar system and its variants: arcs move nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from tests.reference import graphs as g
from tests.reference.base import Dynamic, UpTo
from tests.reference.systems.stack_buffer import StackBufferSystem

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo


class Planar(StackBufferSystem):
    """Start (empty, 0..n), or (empty, 1..n) with root="absent"; final when the buffer is empty.

    SHIFT
    REDUCE      s1 popped; with covered_roots=False only if s1 has a head
    LEFT-ARC    b1 -> s1
    RIGHT-ARC   s1 -> b1

    An arc must be new and not enter 0. single_head: its dependent has no head. acyclic: its dependent does not reach
    its head by directed arcs.
    """

    name = "planar"
    table = ("SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC")
    arc_moves = frozenset({"LEFT-ARC", "RIGHT-ARC"})
    options: ClassVar[dict[str, tuple[Any, ...]]] = {
        "root": ("token", "absent"),
        "single_head": (True, False),
        "acyclic": (True, False),
        "covered_roots": (True, False),
    }
    derives = "projective"
    up_to = UpTo(configurations=4, goals=6, reachable=5)
    dynamic = Dynamic(up_to=4)

    def start(self) -> None:
        """Everything in the buffer."""
        self.graph = not self.chosen["single_head"]
        self.stack = []
        self.buffer = list(range(0 if self.chosen["root"] == "token" else 1, self.n + 1))

    def may_draw(self, head: int, dependent: int) -> bool:
        """Whether the options admit the arc."""
        if dependent == 0 or self.is_taken(head, dependent):
            return False
        if self.chosen["single_head"] and self.has_head(dependent):
            return False
        return not (self.chosen["acyclic"] and self.reaches(dependent, head))

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move == "SHIFT":
            return True
        if not self.stack:
            return False
        if move == "REDUCE":
            return self.chosen["covered_roots"] or self.has_head(self.s1)
        if move == "LEFT-ARC":
            return self.may_draw(self.b1, self.s1)
        return self.may_draw(self.s1, self.b1)

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

    @staticmethod
    def bound(n: int) -> int:
        """Every word is shifted, leaves and gets a head, but for the ends."""
        return 3 * (n + 1) - 2

    def choose(self, todo: Todo) -> str:
        """Arcs with right end b1, the nearest left end first, REDUCE down to each left end; then SHIFT."""
        if todo.wants(self, self.b1, self.s1):
            return "LEFT-ARC"
        if todo.wants(self, self.s1, self.b1):
            return "RIGHT-ARC"
        waiting = any(todo.wants(self, *arc) for arc in todo.arcs if max(arc) == self.b1)
        return "REDUCE" if waiting else "SHIFT"

    @classmethod
    def graph_class(cls, options: Mapping[str, Any]) -> Callable[[Any, int], bool] | None:
        """Planar graphs with as many constraints as there are options."""

        def member(arcs: Any, n: int) -> bool:
            return (
                g.is_planar(arcs)
                and (not options["single_head"] or g.is_single_head(arcs))
                and (not options["acyclic"] or g.is_acyclic(arcs))
                and (options["covered_roots"] or g.has_no_covered_root(arcs, n))
            )

        return member


class PlanarGraph(Planar):
    """The same over 1..n, or over 0..n with root="token", where every constraint is off unless asked for."""

    name = "planar/graph"
    options: ClassVar[dict[str, tuple[Any, ...]]] = {
        "single_head": (False, True),
        "acyclic": (False, True),
        "covered_roots": (True, False),
        "root": ("absent", "token"),
        "doubles": (True, False),
    }
    derives = ""
    up_to = UpTo(configurations=3, goals=4, reachable=4)
    dynamic = None

    def start(self) -> None:
        """Everything in the buffer."""
        super().start()
        self.graph = True
