"""Split running text into sentences, tokens and words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastparse.cli.files import add_file_arguments, through_files

if TYPE_CHECKING:
    from fastparse.parser import Report

EXAMPLES = (
    ("fastparse tokenize book.txt -m my.fp -o book.conllu", "a text in its sentences and words"),
    ("fastparse tokenize -r texts -m my.fp -o tokens/ --offsets", "a folder of texts, with the place of every token"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "text in UTF-8", ("auto", "text", "lines", "words"))


def run(args: argparse.Namespace) -> int:
    from fastparse.opening import load

    parser = load(args.model)

    def tokenize(inputs: list[str], output: str, show: Callable[[Report], object]) -> Report:
        return parser.tokenize_file(
            inputs, output, args.threads, source=args.source, offsets=args.offsets, on_error=args.on_error,
            progress=show,
        )  # fmt: skip

    return through_files(args, parser, tokenize, ("text",))
