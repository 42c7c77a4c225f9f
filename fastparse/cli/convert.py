"""CoNLL-U to Parquet and back, losing nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fastparse.cli.progress import Line
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.annotate.stream import Report

EXAMPLES = (
    ("fastparse convert corpus.conllu.gz -o corpus.parquet", "a row per sentence"),
    ("fastparse convert parsed/*.parquet -o parsed.conllu", "and back, every byte as it was"),
)

_COMPRESSED = {".gz", ".xz", ".bz2", ".zst"}


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("inputs", nargs="+", metavar="INPUT", help="CoNLL-U, also compressed; or files in .parquet")
    command.add_argument(
        "-o", "--output", required=True, metavar="OUT",
        help="a file in .parquet, or CoNLL-U; a folder with / at its end, for a file of the other kind per input",
    )  # fmt: skip


def run(args: argparse.Namespace) -> None:
    from fastparse.bulk.parquet import convert

    if not args.output.endswith("/") and not Path(args.output).is_dir():
        _shown(convert, args.inputs, args.output)
        return
    folder = Path(args.output)
    targets = [folder / _converted(name) for name in args.inputs]
    if len(set(targets)) < len(targets):
        raise Error(f"a file per input in {args.output} needs inputs with different names")
    folder.mkdir(parents=True, exist_ok=True)
    for name, target in zip(args.inputs, targets, strict=True):
        _shown(convert, name, target)


def _shown(convert: Callable[..., object], inputs: str | list[str], output: str | Path) -> None:
    """Convert, with a line that says how far it is."""
    line = Line()
    name = inputs if isinstance(inputs, str) else ", ".join(inputs)

    def show(report: Report) -> None:
        line.show(f"{name}: {report.words:,} words, {report.words_per_second:,.0f} words/s")

    try:
        convert(inputs, output, progress=show)
    finally:
        line.clear()


def _converted(name: str) -> str:
    """The name of the file of the other kind."""
    path = Path(name)
    if path.suffix.lower() == ".parquet":
        return path.stem + ".conllu"
    stem = path.with_suffix("") if path.suffix in _COMPRESSED else path
    return stem.name.removesuffix(".conllu") + ".parquet"
