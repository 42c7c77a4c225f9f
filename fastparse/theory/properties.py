"""What is known of the properties of a system, and the trees and graphs of a few words on which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

from fastparse.trees import contains

YES, NO, SO_FAR, UNKNOWN = "yes", "no", "so far", "unknown"


@dataclass(frozen=True)
class Finding:
    """What is known of a property.

    Attributes:
        value: "yes", "no", "unknown", or "so far": true of all sentences of the lengths that were tried.
        reason: the proposition, the example, or what was tried.
        example: the arcs (head, dependent) of a structure that refutes it; None where there is none.
        moves: the derivation of the example, where there is one.
    """

    value: str
    reason: str
    example: tuple[tuple[int, int], ...] | None = None
    moves: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.value:<8} {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values; without an example where there is none."""
        found: dict[str, Any] = {"value": self.value, "reason": self.reason}
        if self.example is not None:
            found |= {"example": [list(arc) for arc in self.example], "moves": list(self.moves)}
        return found


Arc = tuple[int, int]
Arcs = tuple[Arc, ...]


def single_head(arcs: Iterable[Arc], n: int) -> bool:
    """No word has two heads."""
    dependents = [dependent for _, dependent in arcs]
    return len(dependents) == len(set(dependents))


def no_covered_roots(arcs: Iterable[Arc], n: int) -> bool:
    """No word without a head lies under an arc."""
    arcs = list(arcs)
    headed = {dependent for _, dependent in arcs}
    return not any(min(arc) < word < max(arc) for word in range(1, n + 1) if word not in headed for arc in arcs)


def acyclic(arcs: Iterable[Arc], n: int) -> bool:
    """There is no directed cycle."""
    left = list(arcs)
    while left:
        dependents = {dependent for _, dependent in left}
        rest = [arc for arc in left if arc[0] in dependents]
        if len(rest) == len(left):
            return False
        left = rest
    return True


def planar(arcs: Iterable[Arc], n: int) -> bool:
    """No arcs cross."""
    spans = [(min(arc), max(arc)) for arc in arcs]
    return not any(a < c < b < d for a, b in spans for c, d in spans)


def projective(arcs: Iterable[Arc], n: int) -> bool:
    """All of the above."""
    arcs = list(arcs)
    return all(test(arcs, n) for test in (single_head, no_covered_roots, acyclic, planar))


TESTS: dict[str, Callable[[Iterable[Arc], int], bool]] = {
    "single_head": single_head,
    "no_covered_roots": no_covered_roots,
    "acyclic": acyclic,
    "planar": planar,
    "projective": projective,
}
"""Properties of arcs that `analyse` decides, by name."""


@cache
def all_trees(n: int) -> tuple[Arcs, ...]:
    """Every tree of n words under the root, as arcs sorted by head."""
    found = []
    for heads in product(range(n + 1), repeat=n):
        arcs = tuple(sorted((head, word) for word, head in enumerate(heads, 1)))
        if acyclic(arcs, n):
            found.append(arcs)
    return tuple(found)


@cache
def trees_in(name: str, n: int, root_arcs: bool) -> frozenset[Arcs]:
    """The trees of n words in a class of `fastparse.trees.classes()`."""
    return frozenset(arcs for arcs in all_trees(n) if contains(heads_of(arcs, n), name, root_arcs))


def heads_of(arcs: Iterable[Arc], n: int) -> list[int]:
    """A head per word, the root for those that have none."""
    heads = [0] * n
    for head, word in arcs:
        heads[word - 1] = head
    return heads


def graphs_with(properties: Iterable[str], n: int, root: bool) -> Iterator[Arcs]:
    """Every graph of n words (and arcs from the root, where there is one) with these properties."""
    tests = [TESTS[name] for name in properties]
    heads = range(0 if root else 1, n + 1)
    possible = sorted((head, word) for head in heads for word in range(1, n + 1) if head != word)
    for size in range(len(possible) + 1):
        for arcs in combinations(possible, size):
            if all(test(arcs, n) for test in tests):
                yield arcs
