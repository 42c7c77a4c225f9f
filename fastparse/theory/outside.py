"""What to tell someone whose tree a system cannot build."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fastparse.theory.oracles import derive_one, oracle_of
from fastparse.transition_systems.oracle import StaticOracle
from fastparse.transition_systems.registry import resolve, row_of, systems

if TYPE_CHECKING:
    from fastparse.machine.system import System

_MOST_SHOWN = 4
# Trying the other systems on longer trees would take longer than an error message should.
_LONGEST_TRIED = 2_000


def explain(gold: Any, system: System, too_many: bool = False, choices: Any = None, planes: Any = None) -> str:
    """The message of an OracleError: which arcs, and which systems cover the tree."""
    if too_many and "oracle" not in system.options:
        return f"too many arcs of this tree cross for {system.name!r} to find planes for them; say planes="
    if too_many:
        return (
            f"the exact oracle of {system.name!r} would have to try too many combinations on this tree; "
            f"use oracle='greedy', which is linear and close to the best"
        )
    is_graph = not gold or isinstance(gold[0], tuple)
    arcs = gold if is_graph else [(head, word) for word, head in enumerate(gold, start=1)]
    if is_graph:
        return f"{system!r} cannot build this graph: {_why_no_graph(arcs, system)}."
    message = f"{system.name!r} cannot build this tree: {offending(arcs)}."
    if choices is not None:
        message += f" It may be that choices={choices!r} does not name a valid pair for every crossing interval."
    if planes is not None:
        message += f" It may be that planes={planes!r} does not name a plane per word, or one in which arcs cross."
    able = covering(gold)
    if able:
        message += f" Systems that can: {', '.join(able)}."
    return message + " Or lift it into the class with fastparse.trees.lift."


def offending(arcs: list[tuple[int, int]]) -> str:
    """The first arcs, from the left, that cross another one."""
    crossed = crossed_arcs(arcs)
    if not crossed:
        return "it violates a constraint of the system, though no two of its arcs cross"
    shown = " and ".join(f"{head} -> {dependent}" for head, dependent in crossed[:_MOST_SHOWN])
    rest = len(crossed) - _MOST_SHOWN
    return f"the arcs {shown}{f' (and {rest} more)' if rest > 0 else ''} cross"


def _why_no_graph(arcs: list[tuple[int, int]], system: System) -> str:
    """What of a graph a system does not allow."""
    options, heads = system.options, Counter(dependent for _, dependent in arcs)
    if options.get("single_head") and max(heads.values(), default=0) > 1:
        return f"word {heads.most_common(1)[0][0]} has several heads"
    if options.get("doubles") is False and len(set(arcs)) < len(arcs):
        head, dependent = next(arc for arc, times in Counter(arcs).items() if times > 1)
        return f"there are several arcs {head} -> {dependent}"
    if any(dependent == 0 for _, dependent in arcs):
        return "an arc enters the root"
    if options.get("root") == "absent" and any(head == 0 for head, _ in arcs):
        return "there are arcs from the root; say root='token'"
    cycle = _cycle(arcs)
    if options.get("acyclic") and cycle:
        return f"the arcs {' -> '.join(map(str, cycle))} form a cycle"
    crossed = offending(arcs)
    if system.name.startswith("2-planar"):
        return f"its crossings need a third plane: {crossed}"
    if crossed_arcs(arcs):
        return crossed
    covered = _covered_root(arcs, heads)
    if covered and (system.name.startswith("dag/") or options.get("covered_roots") is False):
        return f"word {covered} has no head and lies below an arc"
    return "no order of the system's moves draws all of its arcs"


def _cycle(arcs: list[tuple[int, int]]) -> list[int]:
    """Words along a cycle, the first once more at the end; none if there is no cycle."""
    below: dict[int, list[int]] = {}
    for head, dependent in arcs:
        below.setdefault(head, []).append(dependent)
    done: set[int] = set()
    for start in below:
        path, waiting = [start], [iter(below[start])]
        while path and start not in done:
            word = next((word for word in waiting[-1] if word not in done), None)
            if word is None:
                done.add(path.pop())
                waiting.pop()
            elif word in path:
                return [*path[path.index(word) :], word]
            else:
                path.append(word)
                waiting.append(iter(below.get(word, ())))
    return []


def _covered_root(arcs: list[tuple[int, int]], heads: Counter[int]) -> int:
    """A word without a head strictly inside an arc; 0 if there is none."""
    last, reach = 0, 0  # the furthest right end of the arcs that have begun
    starts: dict[int, int] = {}
    for arc in arcs:
        starts[min(arc)] = max(max(arc), starts.get(min(arc), 0))
        last = max(last, *arc)
    for word in range(1, last):
        if reach > word and not heads[word]:
            return word
        reach = max(reach, starts.get(word, 0))
    return 0


def crossed_arcs(arcs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A run of arcs from the left of which each crosses another one of the run."""
    spans = sorted((min(arc), -max(arc), arc) for arc in arcs)
    open_spans: list[tuple[int, int, tuple[int, int]]] = []
    for left, minus_right, arc in spans:
        while open_spans and open_spans[-1][1] <= left:
            open_spans.pop()
        if open_spans and open_spans[-1][0] < left and open_spans[-1][1] < -minus_right:
            right = open_spans[-1][1]
            crossing = [
                other
                for other_left, other_minus_right, other in spans
                if left < other_left < -minus_right < -other_minus_right
                or other_left < left < -other_minus_right < -minus_right
                or (other_left, -other_minus_right) == (open_spans[-1][0], right)
            ]
            return sorted({arc, *crossing}, key=lambda pair: (min(pair), max(pair)))
        open_spans.append((left, -minus_right, arc))
    return []


def covering(heads: list[int]) -> list[str]:
    """The systems that can build a tree; none are named for very long ones."""
    return [name for name in systems() if len(heads) <= _LONGEST_TRIED and _covers(name, heads)]


def _covers(name: str, heads: list[int]) -> bool:
    if row_of(name).no_models:
        return False
    try:
        oracle = oracle_of(name)
    except ValueError:
        return False
    if isinstance(oracle, StaticOracle):
        return derive_one(resolve(name), oracle, 0, heads, None)[0] >= 0
    return bool(oracle.lengths(name, heads, [0, len(heads)])[0] >= 0)
