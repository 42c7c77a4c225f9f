"""Composed systems drawn at random, as recipes."""

from __future__ import annotations

from random import Random
from typing import Any

ARCS = ("ARC(B0, S0)", "ARC(S0, B0)")
EMPTY = ["empty", "BUFFER"]


def random_condition(random: Random, stacks: int) -> list[Any]:
    """A condition on a configuration, often a literal."""
    kind = random.randrange(10)
    place = random.choice(["S0", "S0", "B0", "S1", "B1"])
    if kind < 6:
        return [random.choice(["has_head", "no_head", "is_root", "not_root"]), place]
    if kind < 8:
        return [random.choice(["connected", "not_connected"]), "S0", "B0"]
    if kind == 8:
        return ["not", random_condition(random, stacks)]
    both = [random_condition(random, stacks), random_condition(random, stacks)]
    return [random.choice(["and", "or"]), *both]


def random_steps(random: Random, stacks: int) -> list[list[Any]]:
    """The steps of a move."""
    shape = random.choice(["short", "short", "arc", "arc", "arc", "long"])
    if stacks > 1:
        kinds = {
            "short": [random.choice(["PUSH", "POP", "SWITCH"])],
            "arc": [random.choice(ARCS)],
            "long": [random.choice(ARCS), random.choice(["POP", "PUSH"])],
        }[shape]
    else:
        kinds = {
            "short": [random.choice(["PUSH", "PUSH", "POP", "UNSHIFT"])],
            "arc": [random.choice(ARCS), *random.choice([[], ["POP"], ["PUSH"], ["PUSH", "POP", "UNSHIFT"]])],
            "long": random.choices(["PUSH", "POP", "UNSHIFT", *ARCS], weights=[2, 2, 2, 1, 1], k=random.randint(2, 5)),
        }[shape]
    steps = []
    drawn = False
    for kind in kinds:
        if kind in ARCS and drawn:
            continue
        drawn = drawn or kind in ARCS
        conditions = [random_condition(random, stacks)] if random.random() < 0.15 and stacks == 1 else []
        steps.append([kind, 1 if kind == "SWITCH" else 0, *conditions])
    return steps


def random_recipe(random: Random, name: str) -> dict[str, Any]:
    """A recipe; some describe nothing that could be composed."""
    stacks = 2 if random.random() < 0.15 else 1
    moves = {"SHIFT": [["PUSH", 0]]} if random.random() < 0.7 else {}
    for number in range(random.randint(2, 4)):
        moves[f"M{number}"] = random_steps(random, stacks)
    only_if = {move: random_condition(random, stacks) for move in moves if move != "SHIFT" and random.random() < 0.5}
    for move, steps in moves.items():
        if steps[0][0] == "SWITCH" and random.random() < 0.8:
            only_if[move] = ["not_switched"]
    final: list[Any] = EMPTY if random.random() < 0.8 else ["and", EMPTY, ["single", "STACK"]]
    return {
        "name": name,
        "moves": moves,
        "only_if": only_if,
        "final": final,
        "root": random.choice(["buffer", "absent"] if stacks > 1 else ["stack", "buffer", "absent"]),
        "stacks": stacks,
        "single_head": True if stacks > 1 else random.choice([None, True, False]),
        "acyclic": random.random() < 0.4,
        "covers": "",
        "source": "",
    }
