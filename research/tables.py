"""The tables of the papers on any treebanks, their own figures beside, and verdicts on what they claim.

    python -m research.tables classes TREEBANK...     shares of trees in the classes two-registers is compared with
    python -m research.tables planarity TREEBANK...   trees outside the classes of planarity
    python -m research.tables accuracy TREEBANK...    train and parse, and score as the papers do
    python -m research.tables crossing TREEBANK...    accuracy on crossed and uncrossed arcs, from the same results
    python -m research.tables report TREEBANK... -o DIR   all of these, as Markdown and HTML
    python -m research.tables all TREEBANKS -o DIR    every table of accuracy in full: all systems, regimes and seeds
    python -m research.tables published               the papers' own figures of classes and planarity

Treebanks are files, or folders of train.conllu and dev.conllu. Trainings go on where they were stopped. Transitions
against words are `fastparse study transitions`, which has the figures of the paper on swap.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fastparse.cli.arguments import positive
from fastparse.cli.progress import Line, told
from fastparse.cli.study import add_outputs, add_training, numbers, show
from fastparse.errors import Error
from fastparse.studies import plots
from fastparse.studies.accuracy import contender
from fastparse.studies.table import Study
from fastparse.studies.treebanks import sources
from research import accuracy, coverage
from research.campaign import Campaign
from research.experiments import run_all
from research.report import write_report

_MEASURES = {"classes": coverage.classes_study, "planarity": coverage.planarity_study}
_TRAINED = ("accuracy", "crossing", "report")


def reader() -> argparse.ArgumentParser:
    """What reads the arguments."""
    parser = argparse.ArgumentParser(
        prog="research.tables", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tables = parser.add_subparsers(metavar="TABLE", dest="table", required=True)
    tables.add_parser("published")
    _add_all(tables.add_parser("all"))
    for name in (*_MEASURES, *_TRAINED):
        table = tables.add_parser(name)
        table.add_argument("treebanks", nargs="+", type=Path, metavar="TREEBANK")
        if name in _MEASURES:
            table.add_argument("--part", choices=("train", "dev", "test"), default="train", help="of folders")
        else:
            add_training(table)
            _add_campaign(table)
        if name == "report":
            table.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="gets two files")
        else:
            add_outputs(table)
    return parser


def _add_campaign(table: argparse.ArgumentParser) -> None:
    add = table.add_argument
    add("--sample", type=positive, metavar="WORDS", help="learn from the first sentences alone")
    add("--folds", type=positive, default=0, metavar="K", help="cross-validate on train.conllu instead of parsing PART")
    add("--tags", choices=("gold", "predicted"), default="gold",
        help="those of the treebank, or a tagger's that has not learnt from the sentence, learnt from the same "
        "sample (default: %(default)s)")  # fmt: skip
    add("--models", type=Path, metavar="DIR", help="models TREEBANK.SYSTEM.fp that need not be trained")
    add("--train", action=argparse.BooleanOptionalAction, default=True, help="train what there is no result for")


def _add_all(table: argparse.ArgumentParser) -> None:
    add = table.add_argument
    add("treebanks", nargs="+", type=Path, metavar="TREEBANKS", help="the folder of the fifteen treebanks, or some")
    add("-o", "--output", type=Path, required=True, metavar="DIR", help="gets Markdown, CSV, LaTeX and plots")
    add("--only", default="", metavar="A,B:REGIME,...", help="some tables, or one regime of them")
    add("--seeds", type=numbers, default=(1, 2, 3), metavar="N,...", help="default: 1,2,3")
    add("--work", type=Path, default=Path("study"), metavar="DIR", help="keeps results and models (%(default)s)")
    add("--train", action=argparse.BooleanOptionalAction, default=True, help="train what there is no result for")
    add("--convention", choices=("conllx", "all", "ud"), default="conllx", help="of scoring (default: %(default)s)")
    add("--threads", type=positive, default=1, metavar="N", help="for parsing")
    add("-q", "--quiet", action="store_true", help="do not say how far it is")


def run(args: argparse.Namespace) -> None:
    """Print or write one table."""
    if args.table == "published":
        print(f"{coverage.published_crossing()}\n\n{coverage.published_planar()}")
    elif args.table == "all":
        only = [name for name in args.only.split(",") if name]
        print(*run_all(
            args.treebanks, args.work, args.output, only, args.seeds, args.train, args.threads, args.convention,
            args.line.show,
        ), sep="\n")  # fmt: skip
    elif args.table in _MEASURES:
        treebanks = told(sources(args.treebanks, args.part), lambda source: source.name)
        show([_MEASURES[args.table](treebanks)], args, plots.plot_bars)
    elif args.table == "report":
        print(*write_report(args.treebanks, args.output, _campaign(args), args.convention, args.tags), sep="\n")
    else:
        show(_studies(args), args, plots.plot_bars)


def _studies(args: argparse.Namespace) -> list[Study]:
    campaign = _campaign(args)
    runs = campaign.runs(args.treebanks)
    provenance = accuracy.runs_study(runs, args.convention, campaign.missing, campaign.remarks)
    if args.table == "crossing":
        return [accuracy.crossing_study(runs, args.convention), provenance]
    return [*accuracy.accuracy_studies(runs, args.convention, args.tags), provenance]


def _campaign(args: argparse.Namespace) -> Campaign:
    return Campaign(
        [contender(text) for text in args.systems.split(",")], args.work, args.part, args.beam, args.iterations,
        args.seeds, args.sample, args.folds, args.models, args.train, args.threads, args.oracle,
        args.labels, tags=args.tags, report=args.line.show,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; 1 where something is wrong with what it was given."""
    args = reader().parse_args(arguments)
    args.line = Line(False if getattr(args, "quiet", False) else None)
    try:
        run(args)
    except Error as error:
        print(f"research.tables: {error}", file=sys.stderr)
        return 1
    finally:
        args.line.clear()
    return 0


if __name__ == "__main__":
    sys.exit(main())
