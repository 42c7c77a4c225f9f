"""Parse treebanks, running text or rows from file to file or from pipe to pipe."""

from __future__ import annotations

import argparse

from fastparse.cli.files import add_file_arguments, run

__all__ = ["EXAMPLES", "add_arguments", "run"]

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
    ("fastparse parse book.txt -o book.parquet", "rows for data frames: a row per sentence"),
    ("zcat book.txt.gz | fastparse parse -q --to ndjson | head", "from pipe to pipe"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_file_arguments(command, "fastparse parse", "text, CoNLL-U, CoNLL-X, lines of JSON or Parquet")
