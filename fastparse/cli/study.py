"""Measure treebanks and systems the way the papers do."""

import argparse
from pathlib import Path

HELP = "Repeat a study of the papers on any treebanks."
STUDIES = ("transitions", "classes", "planarity")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("study", choices=STUDIES, help="what to measure")
    command.add_argument("treebanks", nargs="+", type=Path, metavar="TREEBANK", help="files, or folders of treebanks")
    command.add_argument("--part", choices=("train", "dev"), default="train", help="of folders (default: %(default)s)")
    command.add_argument("--system", action="append", metavar="NAME[:ORACLE]", help="transitions: systems to compare")
    command.add_argument("--threads", type=int, default=1, help="transitions: threads to count with")
    command.add_argument("--json", type=Path, metavar="OUT", help="write the rows and verdicts here")
    command.add_argument("--markdown", type=Path, metavar="OUT", help="write the table and verdicts here")
    command.add_argument("--plot", type=Path, metavar="OUT", help="write a plot here (.svg, .png or .pdf)")


def run(args: argparse.Namespace) -> None:
    from fastparse.studies import coverage, plots, transitions
    from fastparse.studies.treebanks import sources

    treebanks = sources(args.treebanks, args.part)
    columns: list[str] | None = None
    if args.study == "transitions":
        contenders = [_contender(text) for text in args.system] if args.system else transitions.CONTENDERS
        study = transitions.transitions_study(treebanks, contenders, args.threads)
        columns = [name for name in study.rows[0] if name != "language"] if study.rows else None
        plot = plots.plot_lines
    else:
        measure = {"classes": coverage.classes_study, "planarity": coverage.planarity_study}[args.study]
        study, plot = measure(treebanks), plots.plot_shares
    print(study.text(columns))
    if args.json:
        args.json.write_text(study.to_json(), encoding="utf-8")
    if args.markdown:
        args.markdown.write_text(study.markdown(columns), encoding="utf-8")
    if args.plot:
        plot(study, args.plot)


def _contender(text: str) -> tuple[str, dict[str, str]]:
    system, _, oracle = text.partition(":")
    return system, {"oracle": oracle} if oracle else {}
