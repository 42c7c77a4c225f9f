"""Parse CoNLL-U or running text from file to file or from pipe to pipe."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastparse.cli.arguments import beam_size, distance
from fastparse.cli.files import add_file_arguments, into_folder, through_files
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.parser import Report

HELP = "Parse CoNLL-U, of which every column that is filled stays byte for byte but HEAD and DEPREL; or running text."

_SOME_LOST = 3


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "CoNLL-U, CoNLL-X or text", ("auto", "conllu", "text", "lines", "words"))
    command.add_argument("--retag", action="store_true", help="replace lemmas that are there, too")
    command.add_argument(
        "--beam", type=beam_size, metavar="N", help="1 is greedy (default: what the model was trained with)"
    )
    command.add_argument(
        "--threshold", type=distance, metavar="N",
        help="of a beam, leave out states that score less than the best by more; 0: none (default: the model's own)",
    )  # fmt: skip
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


def run(args: argparse.Namespace) -> int:
    from fastparse.opening import load

    parser = load(args.model)
    if args.stats and into_folder(args.output):
        raise Error("--stats is about one output: it does not go with a folder")

    def parse(inputs: list[str], output: str, show: Callable[[Report], object]) -> Report:
        return parser.parse_file(
            inputs, output, args.beam, args.threads, args.on_error, source=args.source, retag=args.retag,
            offsets=args.offsets, deps=args.deps, stats=args.stats, progress=show, format=args.format,
            threshold=args.threshold,
        )  # fmt: skip

    return max(_SOME_LOST if report.skipped + report.kept else 0 for report in through_files(args, parse))
