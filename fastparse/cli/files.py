"""Commands that go from files to files: their options, and the line that says how far they are."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse.cli.arguments import positive
from fastparse.cli.progress import Line
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.parser import Report

__all__ = ["add_file_arguments", "into_folder", "status_of", "through_files"]

_SOME_LOST = 3
_COMPRESSED = {".gz", ".xz", ".bz2", ".zst"}


def add_file_arguments(command: argparse.ArgumentParser, what: str, sources: Sequence[str]) -> None:
    """Inputs, model, output, kind of input, threads, progress.

    Args:
        what: the inputs are.
        sources: what --from may say.
    """
    add = command.add_argument
    add("inputs", nargs="+", metavar="INPUT", help=f"{what}, plain or compressed; - is standard input")
    add("-m", "--model", metavar="MODEL",
        help="a model file, or en or en-fast, which come with fastparse (default: en)")  # fmt: skip
    add(
        "-o", "--output", metavar="OUT", default="-",
        help="a file, whose suffix chooses compression (.gz, .xz, .bz2, .zst); a folder with / at its end, for a file "
        "per input; default: standard output, all inputs one after the other",
    )  # fmt: skip
    add("--from", dest="source", choices=sources, default="auto",
        help="what the input is: text; lines, a sentence each; words, lines of tokens with spaces between them; auto: "
        "by the suffix (.conllu, .conll, .conllx; .txt) (default: auto)")  # fmt: skip
    add("--offsets", action="store_true",
        help="write TokenRange, the place of every token of a text in characters, to MISC")  # fmt: skip
    add("--on-error", choices=("stop", "skip", "keep"), default="stop",
        help="what becomes of sentences that cannot be read: skip leaves them out, keep copies them "
        "(default: stop)")  # fmt: skip
    add("--threads", type=positive, default=1, metavar="N", help="the output does not depend on it (default: 1)")
    add("--progress", action=argparse.BooleanOptionalAction, help="say how far it is (default: on a terminal)")
    add("-q", "--quiet", action="store_true", help="no word on standard error but errors")


def status_of(reports: Sequence[Report]) -> int:
    """The status to exit with: whether some sentences are lost."""
    return _SOME_LOST if any(report.skipped + report.kept for report in reports) else 0


def into_folder(output: str) -> bool:
    return output.endswith(("/", os.sep))


def through_files(
    args: argparse.Namespace, work: Callable[[list[str], str, Callable[[Report], object]], Report]
) -> list[Report]:
    """Do the work on all inputs, or on each of them, and report.

    Args:
        work: from inputs to an output, calling its last argument now and then.
    """
    if not into_folder(args.output):
        return [_reported(args, args.inputs, args.output, work)]
    folder = Path(args.output)
    targets = [folder / _output_name(name) for name in args.inputs]
    if "-" in args.inputs or len(set(targets)) < len(targets):
        raise Error(f"a file per input in {args.output} needs inputs that are files with different names")
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _reported(args, [name], str(target), work) for name, target in zip(args.inputs, targets, strict=True)
    ]  # fmt: skip


def _output_name(name: str) -> str:
    """The name of the output for an input: that of a text ends in .conllu."""
    path = Path(name)
    packed = path.suffix if path.suffix in _COMPRESSED else ""
    stem = path.name.removesuffix(packed)
    return stem.removesuffix(".txt") + ".conllu" + packed if stem.endswith(".txt") else path.name


def _reported(
    args: argparse.Namespace, inputs: list[str], output: str,
    work: Callable[[list[str], str, Callable[[Report], object]], Report],
) -> Report:  # fmt: skip
    line = Line(False if args.quiet else args.progress)
    total = _size(inputs)

    def show(report: Report) -> None:
        left = ""
        if total and report.bytes_read:
            share = min(1.0, report.bytes_read / total)
            left = f", {share:.0%}, {_clock(report.seconds / share - report.seconds)} left"
        line.show(f"{report.words:,} words, {report.words_per_second:,.0f} words/s{left}")

    try:
        report = work(inputs, output, show)
    finally:
        line.clear()
    if not args.quiet:
        lost: list[Any] = report.problems[:10]
        for problem in lost:
            line.write(f"fastparse: {problem}")
        if len(lost) < report.skipped + report.kept:
            line.write(f"fastparse: and {report.skipped + report.kept - len(lost):,} more")
        line.write(f"fastparse: {report}")
    return report


def _size(inputs: list[str]) -> int:
    """Bytes to read; 0 when that cannot be known."""
    if any(name == "-" or Path(name).suffix in _COMPRESSED or not os.path.isfile(name) for name in inputs):
        return 0
    return sum(os.path.getsize(name) for name in inputs)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole % 3600 // 60:02}:{whole % 60:02}"
