"""Everything there is, for small n: trees, forests, digraphs, configurations."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations, permutations, product
from typing import Any

from tests.reference import Configuration
from tests.reference.base import NONE, System

Graph = tuple[tuple[int, int], ...]
"""Sorted pairs (head, dependent)."""


def all_forests(n: int) -> Iterator[list[int]]:
    """All forests over 1..n as heads, -1 for a root."""
    for tree in all_trees(n):
        yield [head or NONE for head in tree]


def all_trees(n: int) -> Iterator[list[int]]:
    """All trees over 0..n rooted at 0, as heads."""
    for heads in product(range(n + 1), repeat=n):
        if all(leads_to_root(heads, word) for word in range(1, n + 1)):
            yield list(heads)


def leads_to_root(heads: tuple[int, ...], word: int) -> bool:
    """Whether going from head to head ends at 0."""
    for _ in range(len(heads) + 1):
        if word == 0:
            return True
        word = heads[word - 1]
    return False


def all_digraphs(n: int) -> Iterator[Graph]:
    """All directed graphs over 1..n without loops."""
    pairs = sorted(permutations(range(1, n + 1), 2))
    for size in range(len(pairs) + 1):
        yield from combinations(pairs, size)


def reachable(name: str, n: int, **options: Any) -> dict[Hashable, System]:
    """All reachable configurations by key, breadth first."""
    start = Configuration(name, n, **options)
    found = {start.key(): start}
    layer = [start]
    while layer:
        following = []
        for configuration in layer:
            for move in configuration.legal():
                successor = configuration.copy()
                successor.do(move, None)
                key = successor.key()
                if key not in found:
                    found[key] = successor
                    following.append(successor)
        layer = following
    return found


def dead_ends(configurations: dict[Hashable, System]) -> list[System]:
    """Configurations that are not final and have no legal move."""
    return [each for each in configurations.values() if not each.is_final() and not each.legal()]


def final_graphs(configurations: dict[Hashable, System]) -> set[Graph]:
    """The sets of arcs of the final configurations."""
    return {tuple(each.arcs) for each in configurations.values() if each.is_final()}


def complete_trees(configurations: dict[Hashable, System]) -> set[tuple[int, ...]]:
    """The heads of the final configurations in which every word has one."""
    found = {tuple(each.heads) for each in configurations.values() if each.is_final()}
    return {heads for heads in found if NONE not in heads}


def longest_derivation(configurations: dict[Hashable, System]) -> int:
    """Number of moves of the longest way from the start to a final configuration; no configuration may recur."""
    longest: dict[Hashable, int] = {}
    start = next(iter(configurations))
    waiting = [(start, False)]
    while waiting:
        key, expanded = waiting.pop()
        if key in longest:
            continue
        successors = []
        for move in configurations[key].legal():
            successor = configurations[key].copy()
            successor.do(move, None)
            successors.append(successor.key())
        if expanded:
            best = max((longest[each] + 1 for each in successors if longest[each] >= 0), default=-1)
            longest[key] = 0 if configurations[key].is_final() else best
        else:
            waiting.append((key, True))
            waiting += [(each, False) for each in successors]
    return longest[start]
