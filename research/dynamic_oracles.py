"""How often does a dynamic oracle offer a move that is not optimal, and what does following it lose?

    python -m research.dynamic_oracles two-registers [--exhaustive 4] [--every 11] [--sampled 5 6] [--pairs 60]
        [--most 5000]

Up to so many words every configuration is asked about with every tree of the system's class, or with every eleventh.
For longer sentences pairs are drawn: a tree of the class, and a configuration on a walk of random moves, or the one
after a single random mistake on the way to the tree. The best that can be drawn from a configuration is found by
following all of its derivations; with --most, configurations from which more than so many others can be reached are
drawn anew.

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
from fastparse.errors import Error
from fastparse.theory.exploration import identity
from fastparse.theory.inspection import best_moves

Pair = tuple[tuple[int, ...], int]  # a tree, and the number of a configuration


class Space:
    """The configurations after one another, made when asked for, and numbered.

    Attributes:
        configurations: by number.
    """

    def __init__(self) -> None:
        self.configurations: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._after: dict[int, dict[str, int]] = {}

    def number(self, c: Any) -> int:
        """The number of a configuration."""
        found = self._numbers.setdefault(identity(c), len(self.configurations))
        if found == len(self.configurations):
            self.configurations.append(c)
        return found

    def following(self, number: int) -> dict[str, int]:
        """Each legal move with the configuration after it."""
        if number not in self._after:
            c, found = self.configurations[number], {}
            for move in c.legal():
                after = c.copy()
                after.apply(move)
                found[move] = self.number(after)
            self._after[number] = found
        return self._after[number]

    def reachable(self, start: int, most: int = 1 << 60) -> set[int]:
        """What can be reached from a configuration; stops with more than so many."""
        seen, agenda = {start}, [start]
        while agenda and len(seen) <= most:
            for one in self.following(agenda.pop()).values():
                if one not in seen:
                    seen.add(one)
                    agenda.append(one)
        return seen


class Goal:
    """What becomes of one tree from the configurations of a space."""

    def __init__(self, space: Space, system: str, heads: tuple[int, ...]) -> None:
        self.space, self.heads = space, heads
        self._moves = fastparse.derive(heads, system).moves
        self._most: dict[int, int] = {}
        self._kept: dict[int, int] = {}
        self._choices: dict[int, list[str]] = {}

    def drawn(self, number: int) -> int:
        """The arcs of the tree that a configuration has."""
        return sum(a == b for a, b in zip(self.space.configurations[number].heads, self.heads, strict=True))

    def most(self, start: int) -> int:
        """The arcs that can be had from a configuration, those drawn already among them."""
        best, agenda = self._most, [start]
        while agenda:
            number = agenda[-1]
            following = self.space.following(number).values()
            todo = [one for one in following if one not in best]
            if todo:
                agenda += todo
                continue
            agenda.pop()
            best[number] = max((best[one] for one in following), default=-1)
            if best[number] < 0:
                best[number] = self.drawn(number)
        return best[start]

    def choices(self, number: int) -> list[str]:
        """The moves that the oracle offers."""
        if number not in self._choices:
            self._choices[number] = best_moves(self.space.configurations[number], self.heads, self._moves)
        return self._choices[number]

    def kept(self, start: int) -> int:
        """The arcs that are had in the end where the first of the moves offered is always made."""
        path = [start]
        while path[-1] not in self._kept:
            following = self.space.following(path[-1])
            choice = self.choices(path[-1]) if following else []
            if not choice:
                self._kept[path[-1]] = self.drawn(path[-1])
                break
            path.append(following[choice[0]])
        self._kept |= dict.fromkeys(path, self._kept[path[-1]])
        return self._kept[start]


def measured(system: str, pairs: Iterable[Pair], space: Space) -> dict[str, str | int]:
    """The shares over pairs of a tree and a configuration."""
    goal: Goal | None = None
    states = offered = none = kept = possible = 0
    for heads, start in pairs:
        if goal is None or goal.heads != heads:
            goal = Goal(space, system, heads)
        most, following = goal.most(start), space.following(start)
        possible += most
        kept += goal.kept(start)
        if following:
            choice = goal.choices(start)
            states += 1
            none += not choice
            offered += any(goal.most(following[move]) < most for move in choice)
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


def everything(system: str, n: int, space: Space, every: int = 1) -> Iterator[Pair]:
    """Every configuration of n words, with every so manieth tree."""
    found = sorted(space.reachable(space.number(fastparse.Configuration(system, n))))
    for heads in trees_of(system, n)[::every]:
        for number in found:
            yield heads, number


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
    parser.add_argument("--every", type=int, default=1, metavar="N", help="trees, of all (default: 1)")
    parser.add_argument("--sampled", type=int, nargs="*", default=[5, 6], metavar="N", help="words (default: 5 6)")
    parser.add_argument("--pairs", type=int, default=60, help="of each kind (default: 60)")
    parser.add_argument(
        "--most", type=int, default=1 << 30, metavar="N", help="configurations that follow (default: all)"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| words | configurations | asked about | not optimal | without a move | arcs kept |")
    print("|---|---|---:|---:|---:|---:|")
    for n in range(1, options.exhaustive + 1):
        space = Space()
        show(n, "all", measured(options.system, everything(options.system, n, space, options.every), space))
    for n in options.sampled:
        source, trees = random.Random(options.seed), trees_of(options.system, n)
        for kind in (at_random, after_one_mistake):
            pairs: list[Pair] = []
            space = Space()
            while len(pairs) < options.pairs:
                heads = source.choice(trees)
                c = kind(options.system, n, heads, source)
                alone = Space()
                if len(alone.reachable(alone.number(c), options.most)) <= options.most:
                    pairs.append((heads, space.number(c)))
            show(n, kind.__name__.replace("_", " "), measured(options.system, pairs, space))


def show(n: int, kind: str, found: dict[str, str | int]) -> None:
    """A row of the table."""
    cells = [f"{found['configurations']:,}", found["offered"], found["none"], found["kept"]]
    print(f"| {n} | {kind} | {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
