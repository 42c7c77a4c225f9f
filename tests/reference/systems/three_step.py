"""Second and third step of the three-step system: non-projective heads replace anchors."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

from tests.reference.base import System, UpTo


class ThreeStepLeft(System):
    """Dependents left of their heads. Start: focus 1; final: focus n + 1.

    SHIFT         move on
    PUT(label)    the focus word awaits a head; move on
    DIST(label)   the last word awaiting a head under this label gets the focus word, and awaits nothing any more

    Args:
        heads: anchors of the words; all 0 when missing.
        labels: a label per word; the moves offer each of them, in the order of first occurrence. "_" when missing.
    """

    name = "three-step/left"
    arc_moves: ClassVar[frozenset[str]] = frozenset()
    options: ClassVar[dict[str, tuple[Any, ...]]] = {"heads": (), "labels": ()}
    derives = "three_step_left"
    up_to = UpTo(configurations=4, goals=5)

    focus: int
    theta: list[tuple[str, int]]
    """Pending valencies, the oldest first."""

    def start(self) -> None:
        """Anchors are arcs from the beginning."""
        anchors: Sequence[int] = self.chosen["heads"] if self.chosen["heads"] is not None else [0] * self.n
        labels: Sequence[str] | None = self.chosen["labels"]
        for column in (anchors, labels):
            if column is not None and len(column) != self.n:
                raise ValueError(f"{self.name}: {column!r} has {len(column)} items, expected one per word ({self.n})")
        for word in range(1, self.n + 1):
            self.draw(anchors[word - 1], word, None if labels is None else labels[word - 1])
        inventory = dict.fromkeys(labels or ["_"])
        self.table = (
            "SHIFT",
            *(f"PUT({label})" for label in inventory),
            *(f"DIST({label})" for label in inventory),
        )
        self.theta = []
        self.focus = self.first()

    def first(self) -> int:
        """Where the pass starts."""
        return 1

    def step(self) -> int:
        """Direction of the pass."""
        return 1

    def is_final(self) -> bool:
        """The focus has left the words."""
        return not 1 <= self.focus <= self.n

    def state(self) -> tuple[Hashable, ...]:
        """Focus and pending valencies."""
        return (self.focus, tuple(self.theta))

    def can(self, move: str) -> bool:
        """The precondition of a move."""
        if move.startswith("DIST"):
            return any(label == move[len("DIST(") : -1] for label, _ in self.theta)
        return True

    def apply(self, move: str) -> None:
        """Make a move; labels are part of the move, colons included."""
        if move not in self.legal():
            raise ValueError(f"{self.name}: {move!r} is not legal in {self!r}; legal are {self.legal()!r}")
        self.do(move, None)

    def do(self, move: str, label: str | None) -> None:
        """The effect of a move."""
        if move.startswith("DIST"):
            wanted = move[len("DIST(") : -1]
            word = [word for label, word in self.theta if label == wanted][-1]
            self.theta = [(label, each) for label, each in self.theta if each != word]
            self.drawn = [arc for arc in self.drawn if arc.dependent != word]
            self.draw(self.focus, word, None if wanted == "_" and self.chosen["labels"] is None else wanted)
            return
        if move.startswith("PUT"):
            self.theta.append((move[len("PUT(") : -1], self.focus))
        self.focus += self.step()

    @staticmethod
    def bound(n: int) -> int:
        """Every word is in focus, and waits once at most."""
        return 2 * n


class ThreeStepRight(ThreeStepLeft):
    """Dependents right of their heads: the mirror image. Start: focus n; final: focus 0."""

    name = "three-step/right"
    derives = "three_step_right"
    up_to = UpTo(configurations=4, goals=5)

    def first(self) -> int:
        """Where the pass starts."""
        return self.n

    def step(self) -> int:
        """Direction of the pass."""
        return -1
