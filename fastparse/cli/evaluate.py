"""Score a parse, break the score down, test a difference."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastparse.corpus.conllu import read_conllu
from fastparse.evaluation.attachment import HEADER, Scores, score
from fastparse.evaluation.comparison import Comparison, compare
from fastparse.evaluation.conventions import CONVENTIONS
from fastparse.evaluation.grouping import by_arc_length, by_label, by_sentence_length
from fastparse.evaluation.projectivity import (
    by_crossing,
    by_projectivity,
    nonprojective_precision_recall,
    nonprojective_tokens,
)
from fastparse.evaluation.significance import Significance, significance
from fastparse.evaluation.tables import text_table

BREAKDOWNS: dict[str, Callable[[Comparison, str], Any]] = {
    "crossing": by_crossing,
    "projectivity": by_projectivity,
    "nonprojective-arcs": nonprojective_precision_recall,
    "nonprojective-words": nonprojective_tokens,
    "label": by_label,
    "arc-length": by_arc_length,
    "sentence-length": by_sentence_length,
}
HELP = "Score a parsed treebank against the gold trees."
TESTED = ("uas", "las")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("gold", type=Path, help="treebank with the right trees")
    command.add_argument("predicted", type=Path, help="the same sentences, parsed")
    command.add_argument("--convention", choices=CONVENTIONS, default="ud", help="what counts (default: %(default)s)")
    command.add_argument(
        "--by",
        action="append",
        choices=[*BREAKDOWNS, "all"],
        default=[],
        help="break the scores down, under the same convention; may be given several times",
    )
    command.add_argument("--against", type=Path, metavar="PREDICTED", help="another parse: test the difference")
    command.add_argument("--samples", type=int, default=10_000, help="samples of the bootstrap (default: %(default)s)")
    command.add_argument("--seed", type=int, default=1, help="seed of the bootstrap (default: %(default)s)")
    command.add_argument("--json", action="store_true", help="write JSON")


def run(args: argparse.Namespace) -> None:
    parses = [args.predicted] + ([args.against] if args.against else [])
    gold = read_conllu(args.gold)
    comparisons = [compare(gold, parse, gold_name=str(args.gold)) for parse in parses]
    scores = [score(comparison, args.convention) for comparison in comparisons]
    tests = _tests(comparisons, args) if args.against else []
    # JSON without --by has every breakdown: a program takes what it wants.
    by = list(BREAKDOWNS) if "all" in args.by or (args.json and not args.by) else args.by
    breakdowns = [{name: BREAKDOWNS[name](one, args.convention) for name in by} for one in comparisons]
    if args.json:
        print(json.dumps(_document(args, scores, tests, breakdowns), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_report(parses, scores, tests)))
        for parse, tables in zip(parses, breakdowns, strict=True):
            for table in tables.values():
                print(f"\n{parse}: {table.table()}" if args.against else f"\n{table.table()}")


def _tests(comparisons: list[Comparison], args: argparse.Namespace) -> list[Significance]:
    first, second = comparisons
    return [significance(first, second, measure, args.convention, args.samples, args.seed) for measure in TESTED]


def _document(
    args: argparse.Namespace, scores: list[Scores], tests: list[Significance], breakdowns: list[dict[str, Any]]
) -> dict[str, Any]:
    parses = [
        one.to_dict() | {"breakdowns": {name: table.to_dict() for name, table in tables.items()}}
        for one, tables in zip(scores, breakdowns, strict=True)
    ]
    document = {"gold": str(args.gold), "predicted": str(args.predicted), **parses[0]}
    if args.against:
        document["against"] = {"predicted": str(args.against), **parses[1]}
        document["significance"] = [test.to_dict() for test in tests]
    return document


def _report(parses: list[Path], scores: list[Scores], tests: list[Significance]) -> list[str]:
    if len(scores) == 1:
        return [scores[0].table()]
    rows = [[str(parse), *one.row()] for parse, one in zip(parses, scores, strict=True)]
    lines = [scores[0].heading(), "", text_table(("parse", *HEADER), rows)]
    for test in tests:
        words, sentences = test.mcnemar, test.bootstrap
        lines += [
            "",
            f"{test.measure.upper()}: difference {sentences.difference:+.2f} points, "
            f"95% interval {sentences.low:+.2f} to {sentences.high:+.2f}",
            f"  paired bootstrap over sentences  p = {_p(sentences.p)}  "
            f"({sentences.samples:,} samples, seed {sentences.seed})",
            f"  McNemar's exact test over words  p = {_p(words.p)}  "
            f"({words.first_only:,} words right in the first alone, {words.second_only:,} in the second alone)",
        ]
    return lines


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
