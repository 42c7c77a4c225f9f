"""Score a parse, break the score down, test a difference."""

import argparse
import json
from pathlib import Path
from typing import Any

from fastparse.evaluation.attachment import HEADER, Scores, score
from fastparse.evaluation.comparison import Comparison, compare
from fastparse.evaluation.conventions import CONVENTIONS
from fastparse.evaluation.significance import Significance, significance
from fastparse.evaluation.tables import text_table

HELP = "Score a parsed treebank against the gold trees."
TESTED = ("uas", "las")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("gold", type=Path, help="treebank with the right trees")
    command.add_argument("predicted", type=Path, help="the same sentences, parsed")
    command.add_argument("--convention", choices=CONVENTIONS, default="ud", help="what counts (default: %(default)s)")
    command.add_argument("--against", type=Path, metavar="PREDICTED", help="another parse: test the difference")
    command.add_argument("--samples", type=int, default=10_000, help="samples of the bootstrap (default: %(default)s)")
    command.add_argument("--seed", type=int, default=1, help="seed of the bootstrap (default: %(default)s)")
    command.add_argument("--json", action="store_true", help="write JSON")


def run(args: argparse.Namespace) -> None:
    parses = [args.predicted] + ([args.against] if args.against else [])
    comparisons = [compare(args.gold, parse) for parse in parses]
    scores = [score(comparison, args.convention) for comparison in comparisons]
    tests = _tests(comparisons, args) if args.against else []
    if args.json:
        print(json.dumps(_document(args, parses, scores, tests), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_report(parses, scores, tests)))


def _tests(comparisons: list[Comparison], args: argparse.Namespace) -> list[Significance]:
    first, second = comparisons
    return [significance(first, second, measure, args.convention, args.samples, args.seed) for measure in TESTED]


def _document(
    args: argparse.Namespace, parses: list[Path], scores: list[Scores], tests: list[Significance]
) -> dict[str, Any]:
    return {
        "gold": str(args.gold),
        "convention": args.convention,
        "parses": [
            {"predicted": str(parse), "scores": one.to_dict()} for parse, one in zip(parses, scores, strict=True)
        ],
        "significance": [test.to_dict() for test in tests],
    }


def _report(parses: list[Path], scores: list[Scores], tests: list[Significance]) -> list[str]:
    if len(scores) == 1:
        return [scores[0].table()]
    lines = [
        scores[0].heading(),
        "",
        text_table(
            ("parse", *HEADER),
            [[str(parse), *one.row()] for parse, one in zip(parses, scores, strict=True)],
        ),
    ]
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
