"""List the transition systems."""

from __future__ import annotations

import argparse
import inspect
import json
from importlib import import_module
from typing import Any

EXAMPLES = (
    ("fastparse systems", "all of them, a line each"),
    ("fastparse systems swap", "one of them: what it builds, its moves and when they are legal, its options"),
)

_MEANINGS = {
    "root": "token: the root is a word of the buffer; absent: words without a head hang from it",
    "single_head": "whether a word may have one head only",
    "acyclic": "whether arcs that close a cycle are forbidden",
    "covered_roots": "whether a word without a head may lie under an arc",
    "doubles": "whether arcs between the same words may differ in their labels alone",
    "oracle": "which derivation of a tree is taken",
    "degree": "the highest degree of an arc: how far below the top of the stack one of its words may lie",
    "k": "stacks, one for each plane",
    "switch": "cycle: SWITCH goes to the next stack; choose: SWITCH(i) goes to the i-th of the others",
    "planes": "of the arc to each word of the tree that is derived, the plane to draw it in",
    "choices": "one pair of registers for each crossing interval, of the tree that is derived",
    "projective": "the system of the first step, whose tree has anchors for heads of other arcs",
    "direction": "in which the first step goes through the sentence",
    "put": "anchor: a word waits for its head under the label of its anchor; label: PUT chooses the label",
    "anchors": "those of the tree that is derived, a head for each word; to train, the name they have in MISC",
    "heads": "anchors: of each word the place, left or right, of its head",
    "labels": "the label of each anchor",
}


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", help="this system alone, with the table of its moves")
    command.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> None:
    from fastparse.transition_systems.registry import systems

    rows = [_row(name) for name in ([args.name] if args.name else systems())]
    if args.json:
        print(json.dumps(rows, indent=1))
    elif args.name:
        print("\n".join(_details(rows[0])))
    else:
        width = max(len(row["name"]) for row in rows)
        for row in rows:
            print(f"{row['name']:{width}}  {_builds(row)}{'' if row['trains'] else ' (for derivations alone)'}")
        print("\n`fastparse systems NAME` says more of one; `fastparse train --system NAME` learns to parse with it.")


def _row(name: str) -> dict[str, Any]:
    from fastparse.transition_systems.registry import resolve, row_of

    row = row_of(name)
    system = None if row.pipeline else resolve(name)
    return {
        "name": name,
        "covers": [system.covers] if system is not None and system.covers else [],
        "moves": list(system.moves) if system is not None else [],
        "options": {option: list(values) for option, values in row.all_options.items()},
        "longest": row.bound.text if row.bound else None,
        "trains": not row.no_models,
        "first_steps": list(row.first_steps),
    }


def _builds(row: dict[str, Any]) -> str:
    if row["first_steps"]:
        return "a projective tree, then its non-projective arcs, in three derivations"
    if row["covers"]:
        return f"{row['covers'][0]} trees"
    if "/graph" in row["name"] or row["name"].startswith("dag/"):
        return "graphs: words may have several heads"
    return "no class of trees with a name of its own"


def _details(row: dict[str, Any]) -> list[str]:
    from fastparse.transition_systems.registry import row_of

    found = row_of(row["name"])
    lines = [f"{row['name']}: {_builds(row)}", ""]
    if row["longest"]:
        lines.append(f"longest derivation of n words: {row['longest']}")
    if row["moves"]:
        lines.append(f"moves: {' '.join(row['moves'])}")
    for option, values in row["options"].items():
        said = f"{', '.join(str(value) for value in values)} (the first by default)" if values else "none by default"
        lines.append(f"option {option}: {said}; {_MEANINGS[option]}")
    if found.graphs:
        lines.append("training: besides trees, with --targets enhanced")
    if found.no_models:
        lines.append(f"training: no; {found.no_models}")
    return [*lines, "", inspect.cleandoc(import_module(found.module).__doc__ or "")]
