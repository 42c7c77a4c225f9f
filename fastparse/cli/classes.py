"""Tables of the tree classes of treebanks."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path

from fastparse.cli.progress import told

EXAMPLES = (
    ("fastparse classes train.conllu", "shares of projective, planar, .. trees"),
    ("fastparse classes treebanks/ --csv", "folders of treebanks"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("treebanks", nargs="+", type=Path, metavar="TREEBANK", help="files, or folders of treebanks")
    command.add_argument("--part", choices=("train", "dev"), default="train", help="of folders (default: %(default)s)")
    command.add_argument(
        "--table",
        choices=("crossing", "planar", "both"),
        default="both",
        help="crossing: shares of 2-crossing-interval, 1-endpoint-crossing and projective trees without punctuation; "
        "planar: counts of trees outside the planar classes, all words (default: %(default)s)",
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="write JSON: an object per treebank, with both tables")
    form.add_argument("--csv", action="store_true", help="write CSV: a line per treebank, with both tables")


def run(args: argparse.Namespace) -> None:
    from fastparse.corpus.problems import number_of
    from fastparse.corpus.reading import read_conllu
    from fastparse.studies import classes
    from fastparse.studies.treebanks import sources

    found = [
        classes.coverage(read_conllu(source.path, on_error="keep"), source.name)
        for source in told(sources(args.treebanks, args.part), lambda source: source.name)
    ]
    for treebank in found:
        if treebank.n_skipped:
            print(
                f"fastparse: {treebank.name}: left out, as no trees: {number_of(treebank.n_skipped, 'sentence')}",
                file=sys.stderr,
            )
    if args.json:
        print(json.dumps([treebank.to_dict() for treebank in found], indent=2, ensure_ascii=False))
    elif args.csv:
        rows = [treebank.to_dict() for treebank in found]
        writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        tables = {"crossing": classes.CROSSING_TABLE, "planar": classes.PLANAR_TABLE}
        print("\n\n".join(table.text(found) for name, table in tables.items() if args.table in (name, "both")))
