"""What the textbook systems share: drawn arcs, a table of moves, the public surface of a configuration.

Nothing here is incremental. Every question about arcs is answered by looking at all arcs drawn so far, so that the
answer is right for reasons one can read in a line. Words are 1..n, the artificial root is 0, "none" is -1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

if TYPE_CHECKING:
    from tests.reference.oracles.todo import Todo

NONE = -1

Self = TypeVar("Self", bound="System")


class Arc(NamedTuple):
    """An arc as it was drawn; `when` holds what a system wants to remember of that moment."""

    head: int
    dependent: int
    label: str | None
    when: Any = None


class UpTo(NamedTuple):
    """Numbers of words up to which everything there is gets tried."""

    configurations: int
    """Each reachable configuration is compared with the textbook's."""

    goals: int
    """The static oracle is given each tree or graph."""

    reachable: int = 0
    """All that can be derived is listed; 0 where configurations are not made of cells."""


class Dynamic(NamedTuple):
    """What is claimed of a dynamic oracle."""

    up_to: int
    """Words up to which it is given each tree, in each configuration if it is exact."""

    kept: tuple[int, int] | None = None
    """None for exact oracles. For others, over all configurations and trees of three words: how many arcs they draw,
    and how many could be drawn."""


def between(x: int, left: int, right: int) -> bool:
    """Whether x lies strictly between two positions, given in either order."""
    return min(left, right) < x < max(left, right)


class System:
    """A configuration of one transition system; each subclass is one system."""

    name: ClassVar[str]
    table: tuple[str, ...]
    arc_moves: frozenset[str]
    options: ClassVar[dict[str, tuple[Any, ...]]] = {}
    """Option -> its values, the default first; an empty tuple admits every value and defaults to None."""

    derives: ClassVar[str] = ""
    """The trees derived, by their name in membership.CLASSES or COVERAGE; "" for systems of graphs."""

    exact: ClassVar[bool] = True
    """Whether all these trees are derived, and no others."""

    up_to: ClassVar[UpTo]
    dynamic: ClassVar[Dynamic | None] = None

    graph = False
    """Whether words may have several heads; there are arcs then, but no heads."""

    n: int
    drawn: list[Arc]

    def __init__(self, n: int, **options: Any) -> None:
        if n < 0:
            raise ValueError(f"{self.name}: the number of words is {n!r}, expected 0 or more")
        self.n = n
        self.drawn = []
        self.chosen: dict[str, Any] = {key: values[0] if values else None for key, values in self.options.items()}
        for key, value in options.items():
            if key not in self.options:
                raise ValueError(f"{self.name} has no option {key!r}; it has {sorted(self.options)!r}")
            if self.options[key] and value not in self.options[key]:
                raise ValueError(f"{self.name}: {key}={value!r}, expected one of {self.options[key]!r}")
            self.chosen[key] = value
        self.start()

    # What each system defines.

    def start(self) -> None:
        """Set up the initial configuration."""
        raise NotImplementedError

    def is_final(self) -> bool:
        """Whether the derivation ends here."""
        raise NotImplementedError

    def can(self, move: str) -> bool:
        """Whether the precondition of `move` holds, in a configuration that is not final."""
        raise NotImplementedError

    def do(self, move: str, label: str | None) -> None:
        """Carry out a legal move."""
        raise NotImplementedError

    def state(self) -> tuple[Hashable, ...]:
        """Everything but the arcs that makes two configurations differ."""
        raise NotImplementedError

    @staticmethod
    def bound(n: int) -> int:
        """No derivation of n words has more moves."""
        raise NotImplementedError

    @classmethod
    def graph_class(cls, options: Mapping[str, Any]) -> Callable[[Any, int], bool] | None:
        """Which graphs of n words are derived under these options; None where no class is known."""
        return None

    @classmethod
    def tried(cls, options: Mapping[str, Any]) -> UpTo:
        """How far the claims are tried under these options."""
        return cls.up_to

    def choose(self, todo: Todo) -> str:
        """The move of the static oracle, when it looks at nothing but the arcs that are still to be drawn."""
        raise NotImplementedError

    # The public surface.

    def legal(self) -> list[str]:
        """The legal moves, in the order of the table."""
        return [] if self.is_final() else [move for move in self.table if self.can(move)]

    def apply(self, move: str) -> None:
        """Make a move; `LEFT-ARC:nsubj` labels the arc it draws."""
        bare, colon, label = move.partition(":")
        if bare not in self.legal() or (colon and (bare not in self.arc_moves or not label)):
            raise ValueError(f"{self.name}: {move!r} is not legal in {self!r}; legal are {self.legal()!r}")
        before = {arc[:3] for arc in self.drawn}
        self.do(bare, label if colon else None)
        if len(self.drawn) > len(before) and self.drawn[-1][:3] in before:
            raise AssertionError(f"{self.name}: {move!r} draws an arc twice; leave that out")

    def copy(self: Self) -> Self:
        """An independent configuration equal to this one."""
        twin = object.__new__(type(self))
        for key, value in vars(self).items():
            setattr(twin, key, value.copy() if isinstance(value, list) else value)
        return twin

    def key(self) -> Hashable:
        """Equal for equal configurations of one system, different for different ones."""
        return (frozenset((arc.head, arc.dependent, arc.label) for arc in self.drawn), *self.state())

    def __repr__(self) -> str:
        return f"{self.name} n={self.n} {self.state()!r} {self.arcs!r}"

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """All arcs drawn, as sorted pairs (head, dependent)."""
        return sorted((arc.head, arc.dependent) for arc in self.drawn)

    @property
    def heads(self) -> list[int]:
        """Head of each word, -1 while it has none."""
        self.insist_on_heads()
        return [self.head(word) for word in range(1, self.n + 1)]

    @property
    def deprels(self) -> list[str | None]:
        """Label of each word's arc, None while there is no arc or no label."""
        self.insist_on_heads()
        labels = {arc.dependent: arc.label for arc in self.drawn}
        return [labels.get(word) for word in range(1, self.n + 1)]

    def insist_on_heads(self) -> None:
        """Refuse in systems for graphs."""
        if self.graph:
            raise AttributeError(f"{self.name}: words may have several heads; see arcs")

    def tree(self) -> list[int]:
        """Heads after the completion rule: headless words hang from the root."""
        return [max(head, 0) for head in self.heads]

    # Questions about the arcs, answered by scanning all of them.

    def draw(self, head: int, dependent: int, label: str | None, when: Any = None) -> None:
        """Add an arc."""
        self.drawn.append(Arc(head, dependent, label, when))

    def head(self, word: int) -> int:
        """The head of a word in a single-head system, or -1."""
        found = [arc.head for arc in self.drawn if arc.dependent == word]
        if len(found) > 1:
            raise AssertionError(f"{word} has several heads: {found}")
        return found[0] if found else NONE

    def has_head(self, word: int) -> bool:
        """Whether some arc enters the word."""
        return any(arc.dependent == word for arc in self.drawn)

    def has_arc(self, head: int, dependent: int) -> bool:
        """Whether this very arc was drawn."""
        return any((arc.head, arc.dependent) == (head, dependent) for arc in self.drawn)

    def is_taken(self, head: int, dependent: int) -> bool:
        """In systems of graphs, whether no arc without a label may be drawn there: there is one already, or there is
        any with doubles=False."""
        found = [arc.label for arc in self.drawn if (arc.head, arc.dependent) == (head, dependent)]
        return None in found or bool(found and not self.chosen.get("doubles", True))

    def reaches(self, start: int, goal: int) -> bool:
        """Whether directed arcs lead from start to goal (a word reaches itself)."""
        seen, waiting = set(), [start]
        while waiting:
            word = waiting.pop()
            if word == goal:
                return True
            if word not in seen:
                seen.add(word)
                waiting += [arc.dependent for arc in self.drawn if arc.head == word]
        return False

    def may_head(self, head: int, dependent: int) -> bool:
        """Whether the arc keeps a forest: the dependent is a headless word, and no cycle arises."""
        return dependent != 0 and not self.has_head(dependent) and not self.reaches(dependent, head)

    def covers(self, word: int) -> bool:
        """Whether some arc strictly spans the word."""
        return any(between(word, arc.head, arc.dependent) for arc in self.drawn)
