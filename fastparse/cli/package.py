"""Make a package of a model."""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLES = (
    ("fastparse package my.fp -o dist/", "a wheel that pip installs; fastparse.load('my') then finds the model"),
    ("fastparse package my.fp -o dist/ --name de-news --version 1.2 --licence 'CC BY 4.0, by the university'",
     "under another name, and saying what may be done with it"),
)  # fmt: skip


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("model", metavar="MODEL", help="a model file, or the name of a model")
    command.add_argument("-o", "--output", metavar="DIR", default=".", help="gets the wheel (default: here)")
    command.add_argument("--name", help="what load and -m will take (default: that of the file)")
    command.add_argument("--version", default="1.0", help="of the package (default: %(default)s)")
    command.add_argument("--licence", metavar="TEXT",
        help="what may be done with the model, and whom to name (default: what the model says)")  # fmt: skip


def run(args: argparse.Namespace) -> None:
    import fastparse
    from fastparse.model.finding import find
    from fastparse.model.packaging import write_wheel
    from fastparse.parser import load

    path = find(args.model)
    parser = load(path, verify=True)
    name = args.name or Path(path).stem
    info = {**parser.info, "sha256": parser.sha256}
    wheel = write_wheel(
        path, args.output, name, info, needs=fastparse.__version__, version=args.version, licence=args.licence
    )
    print(f"{wheel} ({wheel.stat().st_size:,} bytes): pip install it, then -m {name} or fastparse.load({name!r})")
