"""Give treebanks or running text tags and lemmas."""

from __future__ import annotations

import argparse

from fastparse.cli.files import add_file_arguments, run

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = (
    ("fastparse tag book.txt -m my.fp -o book.conllu", "running text"),
    ("fastparse tag words.conllu -m my.fp --retag -o tagged.conllu", "replacing the tags that are there"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "fastparse tag", "text, CoNLL-U, CoNLL-X, lines of JSON or Parquet")
