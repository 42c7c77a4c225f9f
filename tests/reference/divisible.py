"""Divisible systems, interpreted: every elementary transition is carried out and every condition looked up.

A system is plain data: moves as lists of steps (kind, stack, conditions), conditions as nested lists such as
["and", ["has_head", "S0"], ["empty", "BUFFER"]].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

LEFT, RIGHT = "ARC(B0, S0)", "ARC(S0, B0)"
Step = list[Any]
Description = dict[str, Any]


@dataclass(frozen=True)
class Here:
    """A configuration: stacks (top last, the active one first), buffer, arcs, and whether the last move was SWITCH."""

    stacks: tuple[tuple[int, ...], ...]
    buffer: tuple[int, ...]
    arcs: frozenset[tuple[int, int]] = frozenset()
    switched: bool = False


def start(system: Description, n: int) -> Here:
    """The initial configuration."""
    words = tuple(range(1, n + 1))
    empty = ((),) * system["stacks"]
    if system["root"] == "stack":
        return Here(((0,), *empty[1:]), words)
    return Here(empty, (0, *words) if system["root"] == "buffer" else words)


def word_at(here: Here, place: str) -> int:
    """The word at S0, S1, B0, ..; -1 if there is none."""
    words = here.stacks[0][::-1] if place[0] == "S" else here.buffer
    depth = int(place[1:])
    return words[depth] if depth < len(words) else -1


def connected(here: Here, x: int, y: int) -> bool:
    """Whether arcs lead from x to y, whatever their directions."""
    both = here.arcs | {(dependent, head) for head, dependent in here.arcs}
    return reaches(both, x, y)


def reaches(arcs: frozenset[tuple[int, int]], x: int, y: int) -> bool:
    """Whether arcs lead from x to y."""
    seen, agenda = {x}, [x]
    while agenda:
        word = agenda.pop()
        for head, dependent in arcs:
            if head == word and dependent not in seen:
                seen.add(dependent)
                agenda.append(dependent)
    return y in seen


def holds(here: Here, condition: list[Any]) -> bool:
    """Whether a condition holds."""
    operator, *arguments = condition
    if operator == "and":
        return all(holds(here, each) for each in arguments)
    if operator == "or":
        return any(holds(here, each) for each in arguments)
    if operator == "not":
        return not holds(here, arguments[0])
    if operator == "not_switched":
        return not here.switched
    if operator in ("empty", "single"):
        words = here.stacks[0] if arguments[0] == "STACK" else here.buffer
        return len(words) == (operator == "single")
    found = [word_at(here, place) for place in arguments]
    dependents = {dependent for _, dependent in here.arcs}
    if operator == "has_head":
        return found[0] in dependents
    if operator == "no_head":
        return found[0] >= 0 and found[0] not in dependents
    if operator == "is_root":
        return found[0] == 0
    if operator == "not_root":
        return found[0] > 0
    if operator == "connected":
        return min(found) >= 0 and connected(here, *found)
    if operator == "not_connected":
        return min(found) >= 0 and not connected(here, *found)
    if operator == "has_arc":
        return (found[0], found[1]) in here.arcs
    if operator == "reaches":
        return min(found) >= 0 and reaches(here.arcs, *found)
    raise ValueError(operator)


def step(system: Description, here: Here, one: Step) -> Here | None:
    """The configuration after an elementary transition, or None."""
    kind, argument, *conditions = one
    if not all(holds(here, condition) for condition in conditions):
        return None
    active, *others = here.stacks
    if kind == "PUSH":
        if not here.buffer:
            return None
        return replace(here, stacks=tuple((*stack, here.buffer[0]) for stack in here.stacks), buffer=here.buffer[1:])
    if kind == "UNSHIFT":
        return replace(here, stacks=(active[:-1],), buffer=(active[-1], *here.buffer)) if active else None
    if kind == "POP":
        return replace(here, stacks=(active[:-1], *others)) if active else None
    if kind == "SWITCH":
        stacks = list(here.stacks)
        stacks[0], stacks[argument] = stacks[argument], stacks[0]
        return replace(here, stacks=tuple(stacks), switched=True)
    if not active or not here.buffer:
        return None
    s, b = active[-1], here.buffer[0]
    head, dependent = (b, s) if kind == LEFT else (s, b)
    if dependent == 0 or (head, dependent) in here.arcs:
        return None
    if system["single_head"] and any(each == dependent for _, each in here.arcs):
        return None
    if system["acyclic"] and reaches(here.arcs, dependent, head):
        return None
    return replace(here, arcs=here.arcs | {(head, dependent)})


def make(system: Description, here: Here, move: str) -> Here | None:
    """The configuration after a move, or None where it is not legal."""
    if move in system["only_if"] and not holds(here, system["only_if"][move]):
        return None
    after: Here | None = here
    for one in system["moves"][move]:
        after = step(system, after, one) if after is not None else None
    if after is not None and all(one[0] != "SWITCH" for one in system["moves"][move]):
        after = replace(after, switched=False)
    return after


def is_final(system: Description, here: Here) -> bool:
    """Whether a derivation may end here."""
    return holds(here, system["final"])


def successors(system: Description, here: Here) -> Iterator[tuple[str, Here]]:
    """The legal moves and what they lead to."""
    if not is_final(system, here):
        for move in system["moves"]:
            after = make(system, here, move)
            if after is not None:
                yield move, after


def explore(system: Description, n: int, most: int) -> dict[Here, dict[str, Here]] | None:
    """All reachable configurations with their successors; None if there are more than `most`."""
    agenda = [start(system, n)]
    found: dict[Here, dict[str, Here]] = {}
    while agenda:
        here = agenda.pop()
        if here in found:
            continue
        if len(found) == most:
            return None
        found[here] = dict(successors(system, here))
        agenda.extend(found[here].values())
    return found


def longest(found: dict[Here, dict[str, Here]]) -> int | None:
    """Moves of the longest sequence of moves; None if there is none because a configuration recurs."""
    lengths: dict[Here, int] = {}
    on_path: set[Here] = set()
    for first in found:
        agenda = [(first, False)]
        while agenda:
            here, done = agenda.pop()
            if done:
                on_path.discard(here)
                lengths[here] = max((1 + lengths[after] for after in found[here].values()), default=0)
            elif here in on_path:
                return None
            elif here not in lengths:
                on_path.add(here)
                agenda.append((here, True))
                for after in found[here].values():
                    if after in on_path:
                        return None
                    agenda.append((after, False))
    return max(lengths.values())
