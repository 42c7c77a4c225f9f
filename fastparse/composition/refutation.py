"""Small examples that refute a property of a system: all its configurations for very short sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastparse.configurations.configuration import Configuration

if TYPE_CHECKING:
    from fastparse.machine.system import System

LONGEST = 3
MOST_CONFIGURATIONS = 4_000

Arc = tuple[int, int]
Key = tuple[str, tuple[str, ...]]


@dataclass
class Reached:
    """A reachable configuration and one way to it."""

    configuration: Any
    moves: list[str]
    possible: list[str]
    following: list[Key] = field(default_factory=list)


def refute(system: System, properties: Sequence[str]) -> dict[str, str]:
    """An example against each property that one was found for.

    Args:
        system: the system.
        properties: names of properties, as ``analysis.PROPERTIES`` has them.
    """
    found: dict[str, str] = {}
    for n in range(1, LONGEST + 1):
        wanted = [name for name in properties if name not in found]
        if not wanted:
            break
        reached = explore(system, n)
        for here in reached.values():
            if here.configuration.is_final():
                for name in wanted:
                    if name in _ARC_TESTS and not _ARC_TESTS[name](here.configuration.arcs, n):
                        found.setdefault(name, _told(here, n))
            elif not here.possible and "robust" in wanted:
                found.setdefault("robust", f"{_told(here, n)}, a dead end")
        if "bounded" in wanted:
            looping = recurring(reached)
            if looping is not None:
                found["bounded"] = f"{_told(looping, n)}, which recurs"
    return found


def explore(system: System, n: int) -> dict[Key, Reached]:
    """Reachable configurations for n words, breadth first, by what tells them apart; not more than a few thousand."""
    start = Configuration(system, n)
    found = {_key(start): Reached(start, [], start.legal())}
    layer = list(found)
    while layer and len(found) < MOST_CONFIGURATIONS:
        following = []
        for key in layer:
            here = found[key]
            for move in here.possible:
                after = here.configuration.copy()
                after.apply(move)
                after_key = _key(after)
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


def _key(configuration: Any) -> Key:
    return repr(configuration), tuple(configuration.legal())


def _told(here: Reached, n: int) -> str:
    return f"for {n} word{'s' if n > 1 else ''} {' '.join(here.moves)} leads to {here.configuration!r}"


# ── properties of arcs ──


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


_ARC_TESTS = {
    "single_head": single_head,
    "no_covered_roots": no_covered_roots,
    "acyclic": acyclic,
    "planar": planar,
    "projective": lambda arcs, n: (
        single_head(arcs, n) and no_covered_roots(arcs, n) and acyclic(arcs, n) and planar(arcs, n)
    ),
}
