"""List the transition systems."""

import argparse
import json
from typing import Any

EXAMPLES = (
    ("fastparse systems", "all of them, a line each"),
    ("fastparse systems swap", "one of them: moves, options, what it builds"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", help="this system alone")
    command.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> None:
    from fastparse.transition_systems.registry import systems

    rows = [_row(name) for name in ([args.name] if args.name else systems())]
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    for row in rows:
        print(row["name"])
        print(f"    {', '.join(row['covers'] or ['no class with a name of its own'])}")
        if row["moves"]:
            print(f"    moves: {' '.join(row['moves'])}")
        for option, values in row["options"].items():
            print(f"    {option}: {', '.join(map(str, values)) or 'any value'}")


def _row(name: str) -> dict[str, Any]:
    from fastparse.transition_systems.registry import resolve, row_of

    row = row_of(name)
    system = None if row.pipeline else resolve(name)
    return {
        "name": name,
        "covers": [system.covers] if system is not None and system.covers else [],
        "moves": list(system.moves) if system is not None else [],
        "options": {option: list(values) for option, values in row.all_options.items()},
    }
