"""Score a parse, break the score down, test a difference."""

import argparse
import json
from pathlib import Path

from fastparse.cli.progress import told

EXAMPLES = (
    ("fastparse evaluate dev.conllu parsed.conllu", "UAS, LAS and more"),
    ("fastparse evaluate dev.conllu new.conllu --against old.conllu", "is the difference one that chance makes?"),
    ("fastparse evaluate dev.conllu parsed.conllu --by label --by arc-length", "broken down"),
)

# The keys of CONVENTIONS and BREAKDOWNS in fastparse.evaluation, which is loaded only when it is needed.
CONVENTIONS = ("ud", "conllx", "all")
BY = (
    "crossing",
    "projectivity",
    "nonprojective-arcs",
    "nonprojective-words",
    "label",
    "arc-length",
    "sentence-length",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("gold", type=Path, help="treebank with the right trees")
    command.add_argument("predicted", type=Path, help="the same sentences or the same text, parsed")
    command.add_argument("--convention", choices=CONVENTIONS, default="ud", help="what counts (default: %(default)s)")
    command.add_argument(
        "--by",
        action="append",
        choices=[*BY, "all"],
        default=[],
        help="break the scores down, under the same convention; may be given several times",
    )
    command.add_argument("--against", type=Path, metavar="PREDICTED", help="another parse: test the difference")
    command.add_argument("--samples", type=int, default=10_000, help="samples of the bootstrap (default: %(default)s)")
    command.add_argument("--seed", type=int, default=1, help="seed of the bootstrap (default: %(default)s)")
    command.add_argument("--json", action="store_true", help="write JSON")


def run(args: argparse.Namespace) -> None:
    from fastparse.corpus.reading import read_conllu
    from fastparse.evaluation.report import Evaluation

    paths = [args.predicted] + ([args.against] if args.against else [])
    files = [args.gold, *paths]
    gold, *parses = [read_conllu(path) for path in told(files, lambda path: f"reading {path}")]
    # JSON without --by has every breakdown there can be: a program takes what it wants.
    by = BY if "all" in args.by or (args.json and not args.by) else args.by
    evaluation = Evaluation(
        gold, parses, list(map(str, paths)), args.convention, by, args.samples, args.seed, required=bool(args.by)
    )
    if args.json:
        print(json.dumps({"gold": str(args.gold), **evaluation.to_dict()}, indent=2, ensure_ascii=False))
    else:
        print(evaluation.text())
