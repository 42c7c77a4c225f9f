"""List the models that have a name."""

from __future__ import annotations

import argparse
import json
import os
from textwrap import fill
from typing import Any

EXAMPLES = (
    ("fastparse models", "what -m and fastparse.load take besides paths"),
    ("fastparse models --json", "for programs"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> None:
    from fastparse.model.finding import DEFAULT, Model, models
    from fastparse.parser import load

    def row(model: Model) -> dict[str, Any]:
        said: dict[str, Any] = {
            "name": model.name, "language": model.language, "installed": model.installed,
            "default": model.name == DEFAULT, "package": model.package, "path": model.path,
        }  # fmt: skip
        if model.path is None:
            return {**said, "about": model.about, "licence": model.licence}
        try:
            parser = load(model.path)
        except ValueError as error:
            return {**said, "error": str(error)}
        info = parser.info
        return {
            **said,
            "bytes": os.path.getsize(model.path),
            "components": list(parser.components),
            "system": info.get("system"),
            "beam": info.get("beam"),
            "encoder": info.get("encoder"),
            "about": info.get("about"),
            "licence": info.get("licence"),
        }

    rows = [row(model) for model in models()]
    if args.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    for each in (each for each in rows if each["installed"]):
        print(f"{each['name']}{' (default)' if each['default'] else ''}, from {each['package']}")
        if "error" in each:
            print(f"    cannot be used: {each['error']}")
            continue
        how = [", ".join(each["components"])]
        if each["system"]:
            how.append(f"{each['system']}, {'greedy' if each['beam'] == 1 else 'beam ' + str(each['beam'])}")
        if each["encoder"]:
            how.append(f"encoder {each['encoder']}")
        print(f"    {'; '.join(how)}; {each['bytes'] / 1e6:.1f} MB")
        if each["about"]:
            print(f"    {each['about']}")
        print(f"    {each['licence'] or 'licence not stated'}")
    others = [f"{each['name']} ({each['about'].partition(',')[0]})" for each in rows if not each["installed"]]
    if others:
        print("not installed, packages fastparse-model-NAME:")
        print(fill(", ".join(others), 120, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False))
