"""The two oracles of the swap system."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.base import NONE
from tests.reference.graphs import arcs_of
from tests.reference.oracles.todo import Todo
from tests.reference.systems.arc_standard import ArcStandard
from tests.reference.systems.stack_buffer import StackBufferSystem


class Swap(Todo):
    """Arc-standard that puts words into projective order, eagerly or lazily."""

    def __init__(self, heads: Sequence[int], lazy: bool) -> None:
        super().__init__(arcs_of(heads))
        self.n, self.lazy = len(heads), lazy
        self.order = projective_order(heads)
        self.component = maximal_components(heads) if lazy else []

    def __call__(self, c: StackBufferSystem) -> str:
        """An arc if the dependent is complete, SWAP if s1 comes before s2 in projective order, else SHIFT."""
        move = c.choose(self)
        if move != "SHIFT" or len(c.stack) < 2 or self.order.index(c.s1) > self.order.index(c.s2):
            return move
        if self.lazy and c.buffer and self.component[c.s1] == self.component[c.b1]:
            return move
        return "SWAP"


def projective_order(heads: Sequence[int]) -> list[int]:
    """All positions, 0 included, by in-order traversal."""

    def subtree(top: int) -> list[int]:
        children = [word for word, head in enumerate(heads, 1) if head == top]
        before = [each for child in children if child < top for each in subtree(child)]
        after = [each for child in children if child > top for each in subtree(child)]
        return [*before, top, *after]

    return subtree(0)


def maximal_components(heads: Sequence[int]) -> list[int]:
    """For each position the topmost ancestor in what arc-standard builds without reordering."""
    here, todo = ArcStandard(len(heads)), Todo(arcs_of(heads))
    while (move := here.choose(todo)) in here.legal():
        here.apply(move)
    top = list(range(len(heads) + 1))
    for word in top[1:]:
        while (head := here.head(top[word])) != NONE:
            top[word] = head
    return top
