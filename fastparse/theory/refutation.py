"""Counterexamples to the properties of a system, from all its configurations for very short sentences."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastparse.theory.configuration import Configuration
from fastparse.theory.exploration import Exploration, identity
from fastparse.theory.properties import TESTS

if TYPE_CHECKING:
    from fastparse.machine.system import System

LONGEST = 4
MOST_CONFIGURATIONS = 4_000  # one by one, of up to three words
MOST_IN_ALL = 200_000  # of four words, in compiled code

Key = Hashable


@dataclass
class Reached:
    """A reachable configuration and one way to it."""

    configuration: Any
    moves: list[str]
    possible: list[str]
    following: list[Key] = field(default_factory=list)


def refute(system: System, properties: Sequence[str]) -> dict[str, str]:
    """A counterexample to each property that one was found for.

    Args:
        system: the system.
        properties: names of properties, as ``analysis.PROPERTIES`` has them.
    """
    found: dict[str, str] = {}
    for n in range(1, LONGEST + 1):
        wanted = [name for name in properties if name not in found]
        if not wanted:
            break
        most = MOST_CONFIGURATIONS
        if n == LONGEST:
            whole = Exploration(system, n, ways=True, most=MOST_IN_ALL)
            found |= _of_ends(whole, [name for name in wanted if name in TESTS])
            wanted = [
                name for name in wanted
                if (name == "robust" and whole.n_dead_ends) or (name == "bounded" and whole.longest < 0)
            ]  # fmt: skip
            most = whole.n_configurations
            if not wanted:
                break
        reached = explore(system, n, most)
        for here in reached.values():
            if here.configuration.is_final():
                for name in wanted:
                    if name in TESTS and not TESTS[name](here.configuration.arcs, n):
                        found.setdefault(name, _told(here, n))
            elif not here.possible and "robust" in wanted:
                found.setdefault("robust", f"{_told(here, n)}, a dead end")
        if "bounded" in wanted:
            looping = recurring(reached)
            if looping is not None:
                found["bounded"] = f"{_told(looping, n)}, which recurs"
    return found


def _of_ends(whole: Exploration, properties: Sequence[str]) -> dict[str, str]:
    """A counterexample to each of these properties among final configurations."""
    found: dict[str, str] = {}
    for arcs in sorted(whole.final_arcs):
        failed = [name for name in properties if name not in found and not TESTS[name](list(arcs), whole.n)]
        if failed:
            moves, end = whole.way_to(arcs), Configuration(whole.system, whole.n)
            for move in moves:
                end.apply(move)
            found |= dict.fromkeys(failed, _told(Reached(end, moves, []), whole.n))
    return found


def explore(system: System, n: int, most: int = MOST_CONFIGURATIONS) -> dict[Key, Reached]:
    """Reachable configurations for n words, breadth first, by what tells them apart; so many and a few more at most."""
    start = Configuration(system, n)
    found: dict[Key, Reached] = {identity(start): Reached(start, [], start.legal())}
    layer = list(found)
    while layer and len(found) < most:
        following = []
        for key in layer:
            here = found[key]
            for move in here.possible:
                after = here.configuration.copy()
                after.apply(move)
                after_key = identity(after)
                here.following.append(after_key)
                if after_key not in found:
                    found[after_key] = Reached(after, [*here.moves, move], after.legal())
                    following.append(after_key)
        layer = following
    return found


def recurring(reached: dict[Key, Reached]) -> Reached | None:
    """A configuration from which it can be reached again, or None."""
    waits = dict.fromkeys(reached, 0)
    for here in reached.values():
        for key in here.following:
            if key in waits:
                waits[key] += 1
    ready = [key for key, count in waits.items() if not count]
    while ready:
        key = ready.pop()
        del waits[key]
        for after in reached[key].following:
            waits[after] -= 1
            if not waits[after]:
                ready.append(after)
    # What is left lies on a cycle or behind one; following it backwards would end on the cycle.
    for key in waits:
        if _returns(key, reached):
            return reached[key]
    return None


def _returns(key: Key, reached: dict[Key, Reached]) -> bool:
    seen: set[Key] = set()
    agenda = [key]
    while agenda:
        for after in reached[agenda.pop()].following:
            if after == key:
                return True
            if after in reached and after not in seen:
                seen.add(after)
                agenda.append(after)
    return False


def _told(here: Reached, n: int) -> str:
    return f"for {n} word{'s' if n > 1 else ''} {' '.join(here.moves)} leads to {here.configuration!r}"
