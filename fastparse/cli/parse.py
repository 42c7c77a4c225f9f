"""Parse CoNLL-U or running text from file to file or from pipe to pipe."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastparse.cli.arguments import beam_size, distance
from fastparse.cli.files import add_file_arguments, through_files
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.parser import Report

EXAMPLES = (
    ("fastparse parse book.txt -o book.conllu", "running text, with the bundled model"),
    (
        "fastparse parse input.conllu.gz -m my.fp -o output.conllu.gz --threads 2",
        "a treebank with tags, compressed, on two threads",
    ),
    (
        "fastparse parse -r corpus -o parsed/",
        "all files of a folder and the folders in it; again after an interruption",
    ),
    ("fastparse parse corpus/*.parquet -o out/", "record batches: a row per sentence or document"),
    ("zcat input.conllu.gz | fastparse parse - -q | grep -c root", "from pipe to pipe"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "CoNLL-U, CoNLL-X or text", ("auto", "conllu", "text", "lines", "words"))
    command.add_argument("--retag", action="store_true", help="replace tags and lemmas that are there, too")
    command.add_argument(
        "--beam", type=beam_size, metavar="N", help="1 is greedy (default: what the model was trained with)"
    )
    command.add_argument(
        "--threshold", type=distance, metavar="N",
        help="leave out states of a beam that score less than the best by more (default: the model's own; 0: none)",
    )  # fmt: skip
    command.add_argument(
        "--deps", choices=("keep", "copy", "blank"), default="keep",
        help="the column DEPS: as it is, a copy of the tree, or _ (default: keep)",
    )  # fmt: skip
    command.add_argument("--format", choices=("auto", "conllu", "conllx"), default="auto", help="default: auto")
    command.add_argument(
        "--strict", action="store_true",
        help="an error, and no output, where columns that the model reads are empty or hold tags it has never seen",
    )  # fmt: skip
    command.add_argument(
        "--scores", action="store_true", help="write into MISC how probable it is that arcs and labels are right"
    )
    command.add_argument("--stats", metavar="FILE", help="write counts and times to this file as JSON")


def run(args: argparse.Namespace) -> int:
    from fastparse.bulk import parquet
    from fastparse.bulk.parquet import is_parquet
    from fastparse.opening import load

    parser = load(args.model)

    def parse(inputs: list[str], output: str, show: Callable[[Report], object]) -> Report:
        if any(map(is_parquet, [*inputs, output])):
            _check_rows(args)
            return parquet.parse_file(
                parser, inputs, output, args.beam, args.threads, retag=args.retag, progress=show
            )  # fmt: skip
        return parser.parse_file(
            inputs, output, args.beam, args.threads, args.on_error, source=args.source, retag=args.retag,
            offsets=args.offsets, deps=args.deps, stats=args.stats, progress=show, format=args.format,
            threshold=args.threshold, strict=args.strict, scores=args.scores,
        )  # fmt: skip

    return through_files(args, parser, parse, ("conllu", "text", "parquet"))


def _check_rows(args: argparse.Namespace) -> None:
    """Raises Error for options that are about bytes or states, which rows have not."""
    for name, default in (
        ("stats", None), ("offsets", False), ("deps", "keep"), ("source", "auto"), ("threshold", None),
        ("format", "auto"), ("on_error", "stop"),
    ):  # fmt: skip
        if getattr(args, name) != default:
            option = {"source": "from"}.get(name, name.replace("_", "-"))
            raise Error(f"--{option} does not go with Parquet, which is parsed row by row: leave it out")
