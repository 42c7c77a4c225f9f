"""Give CoNLL-U or running text tags and lemmas."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastparse.cli.files import add_file_arguments, through_files

if TYPE_CHECKING:
    from fastparse.parser import Report

EXAMPLES = (
    ("fastparse tag book.txt -m my.fp -o book.conllu", "running text"),
    ("fastparse tag words.conllu -m my.fp --retag -o tagged.conllu", "replacing the tags that are there"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "CoNLL-U, CoNLL-X or text", ("auto", "conllu", "text", "lines", "words"))
    command.add_argument("--retag", action="store_true", help="replace tags and lemmas that are there, too")
    command.add_argument("--format", choices=("auto", "conllu", "conllx"), default="auto", help="default: auto")


def run(args: argparse.Namespace) -> int:
    from fastparse.opening import load

    parser = load(args.model)

    def tag(inputs: list[str], output: str, show: Callable[[Report], object]) -> Report:
        return parser.tag_file(
            inputs, output, args.threads, args.on_error, source=args.source, retag=args.retag, offsets=args.offsets,
            progress=show, format=args.format,
        )  # fmt: skip

    return through_files(args, parser, tag, ("conllu", "text"))
