"""Divisible transition systems (Gómez-Rodríguez and Nivre, 2013): moves composed of elementary transitions.

    >>> from fastparse.theory.compose import ARC, B0, POP, PUSH, S0, has_head, no_head
    >>> system = compose(
    ...     "my-arc-eager",
    ...     SHIFT=[PUSH],
    ...     REDUCE=[POP],
    ...     LEFT_ARC=[ARC(B0, S0), POP],
    ...     RIGHT_ARC=[ARC(S0, B0), PUSH],
    ...     only_if={"REDUCE": has_head(S0), "LEFT_ARC": no_head(S0)},
    ... )
    >>> system.moves
    ('SHIFT', 'REDUCE', 'LEFT-ARC', 'RIGHT-ARC')

The result is accepted wherever the name of a system is. Nothing is compiled: a program is data that one compiled
interpreter runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error
from fastparse.theory.elementary import (
    ARC,
    B0,
    B1,
    BUFFER,
    LEFT,
    POP,
    PUSH,
    RIGHT,
    S0,
    S1,
    STACK,
    SWITCH,
    UNSHIFT,
    Address,
    Condition,
    Operation,
    Region,
    connected,
    empty,
    has_arc,
    has_head,
    is_root,
    no_head,
    not_connected,
    not_root,
    not_switched,
    reaches,
    single,
)
from fastparse.theory.symbolic import FALSE, Machine, atom, evaluate, run

if TYPE_CHECKING:
    from fastparse.machine.system import System

__all__ = [
    "ARC",
    "B0",
    "B1",
    "BUFFER",
    "POP",
    "PUSH",
    "S0",
    "S1",
    "STACK",
    "SWITCH",
    "UNSHIFT",
    "Address",
    "Composition",
    "Condition",
    "Operation",
    "Region",
    "compose",
    "connected",
    "empty",
    "from_recipe",
    "has_arc",
    "has_head",
    "is_root",
    "no_head",
    "not_connected",
    "not_root",
    "not_switched",
    "reaches",
    "recipe",
    "single",
]

MOST_MOVES = 32
MOST_STACKS = 4
ROOTS = ("stack", "buffer", "absent")


@dataclass(frozen=True)
class Composition:
    """What a composed system is made of; ``compose`` checks and builds it."""

    name: str
    moves: Mapping[str, tuple[Operation, ...]]
    only_if: Mapping[str, Condition] = field(default_factory=dict)
    final: Condition = field(default_factory=lambda: empty(BUFFER))
    root: str = "stack"
    stacks: int = 1
    single_head: bool | None = None
    acyclic: bool = False
    covers: str = ""
    source: str = ""

    def rebuilding(self) -> tuple[Any, tuple[dict[str, Any]]]:
        """What makes the system again, for pickles."""
        return from_recipe, (_recipe(self),)

    def restrictions(self, move: str) -> tuple[Condition, ...]:
        """The conditions on the configuration a move starts from."""
        return (self.only_if[move],) if move in self.only_if else ()

    def runs(self) -> dict[str, Machine]:
        """What each move does to an arbitrary configuration."""
        single, graph = bool(self.single_head), self.single_head is False
        return {
            move: run(operations, self.restrictions(move), self.stacks, single, self.acyclic, graph)
            for move, operations in self.moves.items()
        }


def compose(
    name: str,
    moves: Mapping[str, Sequence[Operation]] | None = None,
    /,
    *,
    only_if: Mapping[str, Condition] | None = None,
    final: Condition | None = None,
    root: str = "stack",
    stacks: int = 1,
    single_head: bool | None = None,
    acyclic: bool = False,
    covers: str = "",
    source: str = "",
    **named_moves: Sequence[Operation],
) -> System:
    """A transition system made of elementary transitions.

    Elementary are PUSH (the buffer front goes on the stack; on all of them if there are several), UNSHIFT (the stack
    top goes to the buffer front), POP, ARC(B0, S0) and ARC(S0, B0) (an arc from the first to the second; never to the
    root, and never the same arc twice), and with several stacks SWITCH or SWITCH(k), which exchanges the active stack
    with another one. ``POP.when(condition)`` restricts a step inside a move, ``only_if`` the whole move. In conditions
    of a step, S0 and B0 are the words that are there when the step is reached.

    Args:
        name: how the system is called; not the name of a system that exists already.
        moves: the moves in the order of the table, for names that are no Python names: {"ATTACH-LEFT(1)": [...]}.
        only_if: a restriction per move.
        final: where a derivation may end; by default when the buffer is empty.
        root: where 0 starts: "stack", "buffer", or "absent".
        stacks: how many stacks; the first is active at the start.
        single_head: True adds to every arc the restriction that the dependent has no head. False makes a system of
            graphs. By default words have one head if that follows from the restrictions (see ``analyse``).
        acyclic: adds to every arc the restriction that it closes no cycle: for trees, that its words are not connected.
        covers: the class of trees the system derives, as ``fastparse.trees.classes()`` names it, if you know it; what
            is outside is lifted into it in training. That it derives all trees of the class is tried on up to three
            words.
        source: where the system comes from.
        named_moves: the moves by name; LEFT_ARC is called "LEFT-ARC".
    Returns:
        A system for ``Configuration``, ``derive``, ``count_transitions``, ``train`` and the like.
    Raises:
        Error: if a move cannot work, and why; if a tree of the class cannot be derived.
    """
    from fastparse.theory.coverage import require_covered

    named = {_spelled(key): value for key, value in named_moves.items()}
    system = _built(
        name, {**(moves or {}), **named}, {_spelled(key): value for key, value in (only_if or {}).items()}, final,
        root=root, stacks=stacks, single_head=single_head, acyclic=acyclic, covers=covers, source=source,
    )  # fmt: skip
    require_covered(system)
    return system


def _built(
    name: str, moves: Mapping[str, Sequence[Operation]], only_if: Mapping[str, Condition], final: Condition | None,
    **rest: Any,
) -> System:  # fmt: skip
    """The system, its parts checked but not what it covers."""
    from fastparse.theory.analysis import proves_single_head
    from fastparse.theory.program import build

    stacks, single_head = rest["stacks"], rest["single_head"]
    composition = Composition(
        name=_name(name), moves=_moves(moves, stacks), only_if=only_if,
        final=empty(BUFFER) if final is None else final, **rest,
    )  # fmt: skip
    _check(composition)
    if single_head is None and proves_single_head(composition):
        is_graph = False
    else:
        is_graph = not single_head
    if is_graph and stacks > 1 and single_head is None:
        raise Error(
            f"{name!r}: with several stacks, say single_head=True, which restricts arcs, or single_head=False for a "
            "system of graphs"
        )
    final_formula = evaluate(composition.final)
    return build(composition, composition.runs(), final_formula, is_graph, final_formula == ~atom("exists", "B0"))


def recipe(system: System) -> dict[str, Any]:
    """What a composed system is made of, as plain values that JSON can hold; ``from_recipe`` builds it again.

    Raises:
        Error: if the system was not composed.
    """
    composition = system.composition
    if composition is None:
        raise Error(f"{system.name!r} is not a composed system")
    return _recipe(composition)


def _recipe(composition: Composition) -> dict[str, Any]:
    return {
        "name": composition.name,
        "moves": {move: [step.to_list() for step in steps] for move, steps in composition.moves.items()},
        "only_if": {move: condition.to_list() for move, condition in composition.only_if.items()},
        "final": composition.final.to_list(),
        "root": composition.root,
        "stacks": composition.stacks,
        "single_head": composition.single_head,
        "acyclic": composition.acyclic,
        "covers": composition.covers,
        "source": composition.source,
    }


def from_recipe(values: Mapping[str, Any]) -> System:
    """The system a recipe describes. What it says it covers is taken as it is.

    Raises:
        Error: if this is no recipe.
    """
    try:
        rest = {key: values[key] for key in ("root", "stacks", "single_head", "acyclic", "covers", "source")}
        return _built(
            values["name"],
            {move: [Operation.from_list(step) for step in steps] for move, steps in values["moves"].items()},
            {move: Condition.from_list(value) for move, value in values["only_if"].items()},
            Condition.from_list(values["final"]),
            **rest,
        )
    except (KeyError, TypeError, IndexError, AttributeError) as problem:
        raise Error(f"not a recipe of a composed system ({problem!r}): {values!r}") from None


def _name(name: str) -> str:
    from fastparse.transition_systems.registry import ROWS

    if not isinstance(name, str) or not name or not name.isprintable():
        raise Error(f"a system needs a name, found {name!r}")
    if name in ROWS:
        raise Error(f"{name!r} is the name of another system; choose a name of your own")
    return name


def _spelled(move: str) -> str:
    return move.replace("_", "-")


def _moves(given: Mapping[str, Sequence[Operation]], stacks: int) -> dict[str, tuple[Operation, ...]]:
    if not given or len(given) > MOST_MOVES:
        raise Error(f"a system has 1 to {MOST_MOVES} moves, found {len(given)}")
    moves = {}
    for move, steps in given.items():
        if ":" in move or not move or " " in move:
            raise Error(f"{move!r} cannot be the name of a move: names have no colons and no spaces")
        if isinstance(steps, Operation):
            steps = (steps,)
        if not steps or not all(isinstance(step, Operation) for step in steps):
            raise Error(
                f"{move}: expected a list of PUSH, UNSHIFT, POP, ARC(S0, B0), ARC(B0, S0) and SWITCH, found {steps!r}"
            )
        moves[move] = tuple(steps)
    return moves


def _check(composition: Composition) -> None:
    name, stacks = composition.name, composition.stacks
    if composition.root not in ROOTS:
        raise Error(f"{name!r}: root is one of {', '.join(map(repr, ROOTS))}, found {composition.root!r}")
    if not isinstance(stacks, int) or not 1 <= stacks <= MOST_STACKS:
        raise Error(f"{name!r}: there are 1 to {MOST_STACKS} stacks, found {stacks!r}")
    if stacks > 1 and composition.root == "stack":
        raise Error(f"{name!r}: with several stacks the root starts in the buffer or is absent; say root='buffer'")
    for move, condition in composition.only_if.items():
        if move not in composition.moves:
            raise Error(f"{name!r}: only_if names {move!r}, which is no move; there are {', '.join(composition.moves)}")
        if not isinstance(condition, Condition):
            raise Error(f"{name!r}: the restriction of {move} is {condition!r}, expected one such as has_head(S0)")
    if not isinstance(composition.final, Condition):
        raise Error(f"{name!r}: final is {composition.final!r}, expected a condition such as empty(BUFFER)")
    for move, steps in composition.moves.items():
        kinds = [step.kind for step in steps]
        if kinds.count(LEFT) + kinds.count(RIGHT) > 1:
            raise Error(f"{name!r}: {move} draws several arcs, but a move carries one label; make it several moves")
        if len(steps) > 60:
            raise Error(f"{name!r}: {move} has {len(steps)} steps; 60 is the most")
        if stacks == 1 and "SWITCH" in kinds:
            raise Error(f"{name!r}: {move} switches stacks, but there is one; say stacks=2")
        if stacks > 1 and "UNSHIFT" in kinds:
            raise Error(f"{name!r}: {move} unshifts, but with several stacks a word lies in all of them")
        if stacks > 1 and kinds.count("PUSH") > 1:
            raise Error(f"{name!r}: {move} pushes twice; with several stacks a move pushes once at most")
        if "SWITCH" in kinds and len(kinds) > 1:
            raise Error(f"{name!r}: {move} does more than switch; SWITCH is a move of its own")
        for step in steps:
            if step.kind == "SWITCH" and not 1 <= step.argument < stacks:
                raise Error(f"{name!r}: {move} has {step!r}, but the other stacks are 1..{stacks - 1}")
    for move, machine in composition.runs().items():
        if not machine.precondition.clauses:
            raise Error(f"{name!r}: {move} can never be made: its restrictions contradict its steps")
    if evaluate(composition.final) == FALSE:
        raise Error(f"{name!r}: no configuration is ever final: {composition.final!r}")
