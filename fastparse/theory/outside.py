"""What to tell someone whose tree a system cannot build."""

from __future__ import annotations

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
        return f"{system!r} cannot build this graph: {offending(arcs)}."
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
