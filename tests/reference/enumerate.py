"""Everything there is, for small n: trees, forests, digraphs, configurations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

from tests.reference import Configuration
from tests.reference.base import NONE, System
from tests.reference.graphs import Arc, cross

Graph = tuple[tuple[int, int], ...]
"""Sorted pairs (head, dependent)."""


def all_forests(n: int) -> Iterator[list[int]]:
    """All forests over 1..n as heads, -1 for a root."""
    for tree in all_trees(n):
        yield [head or NONE for head in tree]


def all_trees(n: int) -> Iterator[list[int]]:
    """All trees over 0..n rooted at 0, as heads."""
    yield from map(list, _trees(n))


@lru_cache(maxsize=8)
def _trees(n: int) -> list[tuple[int, ...]]:
    every = product(range(n + 1), repeat=n)
    return [heads for heads in every if all(leads_to_root(heads, word) for word in range(1, n + 1))]


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


def all_planar_digraphs(n: int) -> Iterator[Graph]:
    """Those of all_digraphs without crossing arcs, in the same order: arcs are added that cross none before."""
    arcs = sorted(permutations(range(1, n + 1), 2))
    beside = {one: {other for other in arcs if other > one and not cross(one, other)} for one in arcs}
    graphs: list[tuple[Graph, list[Arc]]] = [((), arcs)]  # and the arcs that may follow
    while graphs:
        yield from (graph for graph, _ in graphs)
        graphs = [
            ((*graph, arc), [other for other in following if other in beside[arc]])
            for graph, following in graphs
            for arc in following
        ]


Key = Callable[[System], Hashable]
Moves = Callable[[System], list[str]]


def successor(configuration: System, move: str) -> System:
    """The configuration after a move."""
    twin = configuration.copy()
    twin.do(move, None)
    return twin


def legal(configuration: System) -> list[str]:
    """The legal moves."""
    return configuration.legal()


def enabled(configuration: System) -> list[str]:
    """Moves whose preconditions hold, whether or not the configuration is final."""
    return [move for move in configuration.table if configuration.can(move)]


def key_of(configuration: System) -> Hashable:
    """The key of a configuration."""
    return configuration.key()


def reachable_from(start: System, moves: Moves = legal, key: Key = key_of) -> dict[Hashable, System]:
    """All configurations that can be reached from one, by key, breadth first."""
    found = {key(start): start}
    layer = [start]
    while layer:
        following = {}
        for configuration in layer:
            for move in moves(configuration):
                after = successor(configuration, move)
                if key(after) not in found:
                    following[key(after)] = after
        found.update(following)
        layer = list(following.values())
    return found


def reachable(name: str, n: int, **options: Any) -> dict[Hashable, System]:
    """All reachable configurations of a system by key."""
    return reachable_from(Configuration(name, n, **options))


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


def longest_derivation(
    configurations: dict[Hashable, System], moves: Moves = legal, key: Key = key_of
) -> dict[Hashable, int]:
    """Number of moves of the longest way to a final configuration from each one, -1 if there is none.

    Raises:
        AssertionError: if a configuration can recur.
    """
    longest: dict[Hashable, int] = {}
    waiting = [(each, False) for each in configurations]
    open_keys: set[Hashable] = set()
    while waiting:
        here, expanded = waiting.pop()
        if here in longest:
            continue
        after = [key(successor(configurations[here], move)) for move in moves(configurations[here])]
        if expanded:
            open_keys.discard(here)
            ways = [longest[each] + 1 for each in after if longest[each] >= 0]
            longest[here] = max([*ways, 0] if configurations[here].is_final() else [*ways, -1])
        else:
            open_keys.add(here)
            if any(each in open_keys for each in after):
                raise AssertionError(f"{configurations[here]!r} can recur")
            waiting.append((here, True))
            waiting += [(each, False) for each in after]
    return longest
