"""CoNLL-U to Parquet and back, losing nothing."""

from __future__ import annotations

import argparse
from pathlib import Path

from fastparse.errors import Error

EXAMPLES = (
    ("fastparse convert corpus.conllu.gz -o corpus.parquet", "a row per sentence"),
    ("fastparse convert parsed/*.parquet -o parsed.conllu", "and back, every byte as it was"),
)

_COMPRESSED = {".gz", ".xz", ".bz2", ".zst"}


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("inputs", nargs="+", metavar="INPUT", help="CoNLL-U, also compressed; or files in .parquet")
    command.add_argument(
        "-o", "--output", required=True, metavar="OUT",
        help="a file in .parquet, or CoNLL-U; a folder with / at its end, for a file of the other kind per input",
    )  # fmt: skip


def run(args: argparse.Namespace) -> None:
    from fastparse.bulk.parquet import convert

    if not args.output.endswith("/") and not Path(args.output).is_dir():
        convert(args.inputs, args.output)
        return
    folder = Path(args.output)
    targets = [folder / _converted(name) for name in args.inputs]
    if len(set(targets)) < len(targets):
        raise Error(f"a file per input in {args.output} needs inputs with different names")
    folder.mkdir(parents=True, exist_ok=True)
    for name, target in zip(args.inputs, targets, strict=True):
        convert(name, target)


def _converted(name: str) -> str:
    """The name of the file of the other kind."""
    path = Path(name)
    if path.suffix.lower() == ".parquet":
        return path.stem + ".conllu"
    stem = path.with_suffix("") if path.suffix in _COMPRESSED else path
    return stem.name.removesuffix(".conllu") + ".parquet"
