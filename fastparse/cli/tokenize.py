"""Split running text into sentences, tokens and words."""

from __future__ import annotations

import argparse

from fastparse.cli.files import add_file_arguments, through_files

EXAMPLES = (
    ("fastparse tokenize book.txt -m my.fp -o book.conllu", "a text in its sentences and words"),
    ("fastparse tokenize -r texts -m my.fp -o tokens/ --offsets", "a folder of texts, with the place of every token"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "fastparse tokenize", "text, or lines of JSON with text")


def run(args: argparse.Namespace) -> int:
    from fastparse.annotate.stream import OF_TEXT
    from fastparse.parser import load

    parser = load(args.model)
    return through_files(args, parser, parser.splitting, OF_TEXT)
