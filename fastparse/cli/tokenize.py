"""Split running text into sentences, tokens and words."""

from __future__ import annotations

import argparse

from fastparse.cli.files import add_file_arguments, run

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = (
    ("fastparse tokenize book.txt -m my.fp -o book.conllu", "a text in its sentences and words"),
    ("fastparse tokenize -r texts -m my.fp -o tokens/ --offsets", "a folder of texts, with the place of every token"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "fastparse tokenize", "text, or lines of JSON with text")
