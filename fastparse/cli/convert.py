"""Treebanks, rows and lines of JSON from one format to another, losing nothing that both can hold."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse.cli.files import request_options
from fastparse.cli.progress import Line
from fastparse.errors import Error
from fastparse.request import fields_of

if TYPE_CHECKING:
    from fastparse.annotate.stream import Report

EXAMPLES = (
    ("fastparse convert corpus.conllu.gz -o corpus.parquet", "a row per sentence"),
    ("fastparse convert parsed/*.parquet -o parsed.conllu", "and back, every byte as it was"),
    ("fastparse convert old.conllu --encoding latin-1 -o new.conllu", "to UTF-8"),
)

_WAY = "fastparse convert"


def add_arguments(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="treebanks, lines of JSON or Parquet; - is standard input")
    add(
        "-o", "--output", required=True, metavar="OUT",
        help="a file, whose suffix tells the format; a folder with / at its end, for a file per input: Parquet for "
        "treebanks, CoNLL-U for Parquet, or what --to says",
    )  # fmt: skip
    request_options(command, _WAY)
    command.set_defaults(on_error=None)
    add("--progress", action=argparse.BooleanOptionalAction, help="say how far it is (default: on a terminal)")
    add("-q", "--quiet", action="store_true", help="print only errors")


def run(args: argparse.Namespace) -> None:
    from fastparse.annotate.formats import OUTPUTS, kind_by_suffix
    from fastparse.bulk.parquet import convert

    asked = {name: value for name in fields_of(_WAY) if (value := getattr(args, name, None)) is not None}
    asked.pop("progress", None)
    if args.output != "-" and (args.output.endswith("/") or Path(args.output).is_dir()):
        folder = Path(args.output)
        targets = []
        for name in args.inputs:
            kind = args.target if args.target != "auto" else _other(kind_by_suffix(name))
            targets.append(folder / (_stem(name) + OUTPUTS[kind].suffixes[0]))
        if len(set(targets)) < len(targets):
            raise Error(f"a file per input in {args.output} needs inputs with different names")
        folder.mkdir(parents=True, exist_ok=True)
        for name, target in zip(args.inputs, targets, strict=True):
            _shown(convert, args, name, target, asked)
    else:
        _shown(convert, args, args.inputs, args.output, asked)


def _shown(convert: Any, args: argparse.Namespace, inputs: Any, output: str | Path, asked: dict[str, Any]) -> None:
    """Convert, with a line that says how far it is."""
    line = Line(False if args.quiet else args.progress)
    name = inputs if isinstance(inputs, str) else ", ".join(inputs)

    def show(report: Report) -> None:
        line.show(f"{name}: {report.words:,} words, {report.words_per_second:,.0f} words/s")

    try:
        convert(inputs, output, **asked, progress=show)
    finally:
        line.clear()


def _other(kind: str | None) -> str:
    """What an input becomes in a folder."""
    return "conllu" if kind in ("parquet", "ndjson") else "parquet"


def _stem(name: str) -> str:
    """The name of a file without its suffixes of format and compression."""
    from fastparse.annotate.formats import COMPRESSED, kind_by_suffix

    path = Path(name)
    path = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return path.stem if kind_by_suffix(path) else path.name
