"""Say what is installed and what is missing."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from typing import Any

import fastparse

EXAMPLES = (
    ("fastparse doctor", "the first thing to send with a report of a defect"),
    ("fastparse doctor --json", "for programs"),
)

_WIDTH = 14


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    found = _found()
    if args.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        print("\n".join(_lines(found)))
    return 1 if found["problems"] else 0


def _found() -> dict[str, Any]:
    import os

    import numpy

    from fastparse.encoder.encoder import kernel, kernels
    from fastparse.errors import Error
    from fastparse.extras import EXTRAS, OTHERS, how_to_install, is_there
    from fastparse.model.finding import installed
    from fastparse.parser import load

    problems = []
    try:
        used = kernel()
    except Error as error:
        used = ""
        problems.append(str(error))
    models = {}
    for name, model in installed().items():
        try:
            parser = load(model.path, verify=True)
            if "parser" in parser.components:
                list(parser.parse([["a"]]))
            models[name] = {"path": model.path, "package": model.package, "bytes": os.path.getsize(model.path)}
        except (Error, OSError) as error:
            problems.append(f"the model {name} cannot be used: {error}")
    return {
        "fastparse": fastparse.__version__,
        "installed": os.path.dirname(fastparse.__file__),
        "python": f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}",
        "numpy": numpy.__version__,
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "kernel": used,
        "kernels": list(kernels()),
        "models": models,
        "extras": {
            name: {"there": all(map(is_there, extra.modules)), "for": extra.about, "install": how_to_install(name)}
            for name, extra in EXTRAS.items()
        },
        "others": {name: {"there": is_there(name), "for": about} for name, about in OTHERS.items()},
        "problems": problems,
    }


def _lines(found: dict[str, Any]) -> list[str]:
    rows = [
        (name, str(found[name])) for name in ("fastparse", "installed", "python", "numpy", "platform", "processors")
    ]
    rows.append(("kernel", f"{found['kernel']} (this machine can run {', '.join(found['kernels'])})"))
    for name, model in found["models"].items():
        rows.append((f"model {name}", f"{model['bytes'] / 1e6:.1f} MB, from {model['package']}: {model['path']}"))
    for name, extra in found["extras"].items():
        state = "installed" if extra["there"] else f"missing: {extra['install']}"
        rows.append((f"extra {name}", f"{state} ({extra['for']})"))
    for name, other in found["others"].items():
        rows.append((name, f"{'installed' if other['there'] else 'missing'} ({other['for']})"))
    rows += [("problem", problem) for problem in found["problems"]] or [("problems", "none")]
    return [f"{name:<{_WIDTH}}{value}" for name, value in rows]
