"""Parse CoNLL-U from file to file or from pipe to pipe."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse.cli.arguments import beam_size, positive
from fastparse.cli.progress import Line
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.parser import Parser, Report

HELP = "Parse CoNLL-U: every column but HEAD and DEPREL stays byte for byte."

_COMPRESSED = {".gz", ".xz", ".bz2", ".zst"}
_SOME_LOST = 3


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "inputs", nargs="+", metavar="INPUT", help="CoNLL-U or CoNLL-X, plain or compressed; - is standard input"
    )
    command.add_argument(
        "-m", "--model", metavar="MODEL", help="a model file, or en or en-fast, which come with fastparse (default: en)"
    )
    command.add_argument(
        "-o", "--output", metavar="OUT", default="-",
        help="a file, whose suffix chooses compression (.gz, .xz, .bz2, .zst); a folder with / at its end, for a file "
        "per input; default: standard output, all inputs one after the other",
    )  # fmt: skip
    command.add_argument(
        "--beam", type=beam_size, metavar="N", help="1 is greedy (default: what the model was trained with)"
    )
    command.add_argument(
        "--threads", type=positive, default=1, metavar="N", help="the output does not depend on it (default: 1)"
    )
    command.add_argument(
        "--on-error", choices=("stop", "skip", "keep"), default="stop",
        help="what becomes of sentences that cannot be read: skip leaves them out, keep copies them (default: stop)",
    )  # fmt: skip
    command.add_argument(
        "--deps", choices=("keep", "copy", "blank"), default="keep",
        help="the column DEPS: as it is, a copy of the tree, or _ (default: keep)",
    )  # fmt: skip
    command.add_argument("--format", choices=("auto", "conllu", "conllx"), default="auto", help="default: auto")
    command.add_argument("--stats", metavar="FILE", help="write counts and times to this file as JSON")
    command.add_argument(
        "--progress", action=argparse.BooleanOptionalAction, help="say how far it is (default: on a terminal)"
    )
    command.add_argument("-q", "--quiet", action="store_true", help="no word on standard error but errors")


def run(args: argparse.Namespace) -> int:
    from fastparse.parser import load

    parser = load(args.model)
    if not args.output.endswith(("/", os.sep)):
        return _parse(parser, args.inputs, args.output, args, args.stats)
    if args.stats:
        raise Error("--stats is about one output: it does not go with a folder")
    folder = Path(args.output)
    targets = [folder / Path(name).name for name in args.inputs]
    if "-" in args.inputs or len(set(targets)) < len(targets):
        raise Error(f"a file per input in {args.output} needs inputs that are files with different names")
    folder.mkdir(parents=True, exist_ok=True)
    return max(
        _parse(parser, [name], str(target), args, None) for name, target in zip(args.inputs, targets, strict=True)
    )


def _parse(parser: Parser, inputs: list[str], output: str, args: argparse.Namespace, stats: str | None) -> int:
    line = Line(False if args.quiet else args.progress)
    total = _size(inputs)

    def show(report: Report) -> None:
        left = ""
        if total and report.bytes_written:
            share = min(1.0, report.bytes_written / total)
            left = f", {share:.0%}, {_clock(report.seconds / share - report.seconds)} left"
        line.show(f"{report.words:,} words, {report.words_per_second:,.0f} words/s{left}")

    try:
        report = parser.parse_file(
            inputs, output, args.beam, args.threads, args.on_error, deps=args.deps, stats=stats, progress=show,
            format=args.format,
        )  # fmt: skip
    finally:
        line.clear()
    if not args.quiet:
        lost: list[Any] = report.problems[:10]
        for problem in lost:
            line.write(f"fastparse: {problem}")
        if len(lost) < report.skipped + report.kept:
            line.write(f"fastparse: and {report.skipped + report.kept - len(lost):,} more")
        line.write(f"fastparse: {report}")
    return _SOME_LOST if report.skipped + report.kept else 0


def _size(inputs: list[str]) -> int:
    """Bytes to read, as many as will be written; 0 when that cannot be known."""
    if any(name == "-" or Path(name).suffix in _COMPRESSED or not os.path.isfile(name) for name in inputs):
        return 0
    return sum(os.path.getsize(name) for name in inputs)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole % 3600 // 60:02}:{whole % 60:02}"
