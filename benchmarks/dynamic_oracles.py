"""How often does a dynamic oracle offer a move that is not optimal, and what does following it lose?

    python benchmarks/dynamic_oracles.py two-registers [--exhaustive 4] [--sampled 5 6] [--pairs 60] [--most 5000]

Up to so many words every configuration is asked about with every tree of the system's class. For longer sentences pairs
are drawn: a tree of the class, and a configuration on a walk of random moves, or the one after a single random mistake
on the way to the tree. The best that can be drawn from a configuration is found by following all of its derivations;
with --most, configurations from which more than so many others can be reached are drawn anew.

offered: configurations with a legal move in which some move is offered that leads to fewer arcs of the tree than can
still be drawn. none: those in which no move is offered. kept: arcs of the tree in the end, where the first of the moves
offered is always made, of those that could be drawn from where it began; final configurations count here, too.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import fastparse
from fastparse.configurations.exploration import identity
from fastparse.errors import Error
from fastparse.oracles.dynamic_oracle import best_moves

Pair = tuple[tuple[int, ...], Any]


class Space:
    """The configurations after one another, made when asked for.

    Attributes:
        after: what tells a configuration apart -> move -> the configuration after it.
        drawable: the same -> the most arcs of the tree with which a derivation from there ends.
    """

    def __init__(self) -> None:
        self.after: dict[Any, dict[str, Any]] = {}
        self.drawable: dict[Any, int] = {}
        self.heads: tuple[int, ...] = ()

    def following(self, c: Any) -> dict[str, Any]:
        """Each legal move with the configuration after it."""
        key = identity(c)
        if key not in self.after:
            found = {}
            for move in c.legal():
                found[move] = c.copy()
                found[move].apply(move)
            self.after[key] = found
        return self.after[key]

    def leads_to_few(self, start: Any, most: int) -> bool:
        """Whether at most so many configurations can be reached from one."""
        seen, agenda = {identity(start)}, [start]
        while agenda and len(seen) <= most:
            for one in self.following(agenda.pop()).values():
                if identity(one) not in seen:
                    seen.add(identity(one))
                    agenda.append(one)
        return len(seen) <= most

    def most(self, start: Any, heads: tuple[int, ...]) -> int:
        """The arcs of a tree that can be had from a configuration, those drawn already among them."""
        if heads != self.heads:
            self.heads, self.drawable = heads, {}
        best, agenda = self.drawable, [start]
        while agenda:
            c = agenda[-1]
            following = self.following(c).values()
            todo = [one for one in following if identity(one) not in best]
            if todo:
                agenda += todo
                continue
            agenda.pop()
            best[identity(c)] = max((best[identity(one)] for one in following), default=drawn(c, heads))
        return best[identity(start)]


def drawn(c: Any, heads: tuple[int, ...]) -> int:
    """The arcs of a tree that a configuration has."""
    return sum(a == b for a, b in zip(c.heads, heads, strict=True))


def measured(system: str, pairs: Iterable[Pair]) -> dict[str, str | int]:
    """The shares over pairs of a tree and a configuration."""
    derivations: dict[tuple[int, ...], list[str]] = {}
    space = Space()
    states = offered = none = kept = possible = 0
    for heads, start in pairs:
        if heads not in derivations:
            derivations = {heads: fastparse.derive(heads, system).moves}
        moves = derivations[heads]
        most = space.most(start, heads)
        possible += most
        c, first = start, True
        while following := space.following(c):
            choice = best_moves(c, heads, moves)
            if first:
                states += 1
                none += not choice
                offered += any(space.most(following[move], heads) < most for move in choice)
                first = False
            if not choice:
                break
            c = following[choice[0]]
        kept += drawn(c, heads)
    share = max(1, states)
    return {
        "configurations": states, "offered": f"{100 * offered / share:.2f}%", "none": f"{100 * none / share:.2f}%",
        "kept": f"{kept:,} of {possible:,}",
    }  # fmt: skip


def trees_of(system: str, n: int) -> list[tuple[int, ...]]:
    """All trees of n words that the system builds."""
    heads = [tree for tree in product(range(n + 1), repeat=n) if is_tree(tree)]
    counts = fastparse.count_transitions(heads, system).tolist()
    return [tree for tree, count in zip(heads, counts, strict=True) if count >= 0]


def is_tree(heads: tuple[int, ...]) -> bool:
    """Whether every word is below the root."""
    try:
        fastparse.trees.check_tree(list(heads))
    except Error:
        return False
    return True


def everything(system: str, n: int) -> Iterator[Pair]:
    """Every configuration of n words, with every tree."""
    start, found = fastparse.Configuration(system, n), {}
    agenda = [start]
    while agenda:
        c = agenda.pop()
        if identity(c) not in found:
            found[identity(c)] = c
            for move in c.legal():
                agenda.append(c.copy())
                agenda[-1].apply(move)
    for heads in trees_of(system, n):
        for c in found.values():
            yield heads, c


def at_random(system: str, n: int, heads: tuple[int, ...], source: random.Random) -> Any:
    """A configuration on a walk of random moves."""
    c = fastparse.Configuration(system, n)
    path = [c.copy()]
    while legal := c.legal():
        c.apply(source.choice(legal))
        path.append(c.copy())
    return source.choice(path)


def after_one_mistake(system: str, n: int, heads: tuple[int, ...], source: random.Random) -> Any:
    """The configuration after a move that is not that of the derivation, at some place on its way."""
    moves = fastparse.derive(heads, system).moves
    while True:
        place, c = source.randrange(len(moves)), fastparse.Configuration(system, n)
        for move in moves[:place]:
            c.apply(move)
        wrong = [move for move in c.legal() if move != moves[place]]
        if wrong:
            c.apply(source.choice(wrong))
            return c


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("system", help="one that has a dynamic oracle")
    parser.add_argument("--exhaustive", type=int, default=4, metavar="N", help="up to so many words (default: 4)")
    parser.add_argument("--sampled", type=int, nargs="*", default=[5, 6], metavar="N", help="words (default: 5 6)")
    parser.add_argument("--pairs", type=int, default=60, help="of each kind (default: 60)")
    parser.add_argument(
        "--most", type=int, default=1 << 30, metavar="N", help="configurations that follow (default: all)"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows: list[tuple[int, str, Iterator[Pair]]] = [
        (n, "all", everything(options.system, n)) for n in range(1, options.exhaustive + 1)
    ]
    for n in options.sampled:
        source, trees = random.Random(options.seed), trees_of(options.system, n)
        for kind in (at_random, after_one_mistake):
            pairs: list[Pair] = []
            while len(pairs) < options.pairs:
                heads = source.choice(trees)
                c = kind(options.system, n, heads, source)
                if Space().leads_to_few(c, options.most):
                    pairs.append((heads, c))
            rows.append((n, kind.__name__.replace("_", " "), iter(pairs)))
    print("| words | configurations | asked about | not optimal | without a move | arcs kept |")
    print("|---|---|---:|---:|---:|---:|")
    for n, kind, pairs in rows:
        found = measured(options.system, pairs)
        cells = [f"{found['configurations']:,}", found["offered"], found["none"], found["kept"]]
        print(f"| {n} | {kind} | {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
