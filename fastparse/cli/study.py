"""Measure treebanks and systems the way the papers do."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse.cli.arguments import beam_size, positive
from fastparse.cli.progress import Line, told
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.parser import Parser
    from fastparse.studies.table import Study
    from fastparse.studies.treebanks import Source

EXAMPLES = (
    ("fastparse study transitions train.conllu --plot transitions.svg", "transitions against words"),
    (
        "fastparse study accuracy treebanks/ --systems arc-eager,swap",
        "trains them; goes on where it was stopped",
    ),
    ("fastparse study certify --words 6 -o certificate.txt.xz", "for a checker: fastparse study certify --checker"),
)
STUDIES = {
    "transitions": "transitions against words, with the oracle or with models",
    "classes": "shares of trees in the classes two-registers is compared with",
    "planarity": "trees outside the classes of planarity",
    "lifting": "words that lifting moves, and arcs that pseudo-projective encodings restore",
    "accuracy": "train systems, parse with them and compare their scores; goes on where it was stopped",
    "time": "time against words, per model and beam",
}
CERTIFY = "all trees that systems build of a few words, each with a derivation, for a checker that knows no fastparse"
SYSTEMS = "arc-eager,swap,two-registers"


def add_arguments(command: argparse.ArgumentParser) -> None:
    studies = command.add_subparsers(title="studies", metavar="STUDY", dest="study", required=True)
    for name, text in STUDIES.items():
        study = studies.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        study.add_argument("treebanks", nargs="+", type=Path, metavar="TREEBANK", help="files, or folders of treebanks")
        _ARGUMENTS[name](study)
        add_outputs(study)
    _certify_arguments(studies.add_parser("certify", help=CERTIFY, description=f"{CERTIFY[0].upper()}{CERTIFY[1:]}."))


def _certify_arguments(study: argparse.ArgumentParser) -> None:
    add = study.add_argument
    add("--systems", default=None, metavar="A,B,...", help="default: all that the checker knows")
    add("--words", type=positive, default=5, metavar="N", help="up to so many, 7 at most (default: %(default)s)")
    add("-o", "--output", default="-", metavar="OUT", help="default: standard output")
    add("--checker", action="store_true", help="write the program that checks certificates instead: plain Python, "
        "300 lines, which shares no code with fastparse")  # fmt: skip


def add_outputs(study: argparse.ArgumentParser) -> None:
    """The options of `show`."""
    study.add_argument("--json", type=Path, metavar="OUT", help="write the rows and verdicts here")
    study.add_argument("--markdown", type=Path, metavar="OUT", help="write the table and verdicts here")
    study.add_argument("--latex", type=Path, metavar="OUT", help="write the table here, for papers")
    study.add_argument("--plot", type=Path, metavar="OUT", help="write a plot here (.svg, .png or .pdf)")


def _part(study: argparse.ArgumentParser, default: str = "train") -> None:
    study.add_argument("--part", choices=("train", "dev", "test"), default=default, help="of folders (%(default)s)")


def _transitions_arguments(study: argparse.ArgumentParser) -> None:
    _part(study)
    study.add_argument("--system", action="append", metavar="NAME[:ORACLE]", help="systems to compare")
    study.add_argument("-m", "--model", action="append", metavar="MODEL", help="parse with this model, no oracle")
    study.add_argument("--beam", type=beam_size, metavar="N", help="for models (default: each one's own)")
    study.add_argument("--threads", type=positive, default=1, help="threads to count with")


def _time_arguments(study: argparse.ArgumentParser) -> None:
    _part(study, "dev")
    study.add_argument("-m", "--model", action="append", required=True, metavar="MODEL", help="may be repeated")
    study.add_argument("--beam", type=_beams, default=(None,), metavar="N,...", help="default: each model's own")
    study.add_argument("--repeats", type=positive, default=3, metavar="N", help="rounds (default: %(default)s)")


def add_training(study: argparse.ArgumentParser) -> None:
    """How systems are trained and scored."""
    _part(study, "dev")
    add = study.add_argument
    add("--systems", default=SYSTEMS, metavar="A,B,...", help="each NAME[:ORACLE][+ENCODING], such as "
        "two-registers, swap:eager, arc-eager+head (default: %(default)s)")  # fmt: skip
    add("--beam", type=beam_size, default=32, metavar="N", help="of training and parsing (default: %(default)s)")
    add("--iterations", type=positive, default=10, metavar="N", help="default: %(default)s")
    add("--seeds", type=numbers, default=(1,), metavar="N,...", help="one training for each (default: 1)")
    add("--oracle", choices=("static", "dynamic"), default="static", help="of greedy trainings (--beam 1): static, "
        "one derivation for every system, or dynamic, for those that have such an oracle (default: %(default)s)"
    )  # fmt: skip
    add("--labels", choices=("arcs", "moves"), default="arcs", help="what labels are chosen by: once the arc is drawn, "
        "or with the moves, as in the papers (default: %(default)s)"
    )  # fmt: skip
    add("--convention", choices=("conllx", "all", "ud"), default="conllx", help="of scoring (default: %(default)s)")
    add("--work", type=Path, default=Path("study"), metavar="DIR", help="keeps what is learnt (default: %(default)s)")
    add("--threads", type=positive, default=1, metavar="N", help="for parsing")
    add("-q", "--quiet", action="store_true", help="do not say how far it is")


_ARGUMENTS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "transitions": _transitions_arguments,
    "classes": _part,
    "planarity": _part,
    "lifting": _part,
    "accuracy": add_training,
    "time": _time_arguments,
}


def run(args: argparse.Namespace) -> None:
    from fastparse.studies import classes, plots, timing, transitions
    from fastparse.studies.treebanks import sources

    if args.study == "certify":
        _certify(args)
        return
    if args.study == "accuracy":
        show([_accuracy(args)], args, plots.plot_bars)
        return
    treebanks = sources(args.treebanks, args.part)
    if args.study == "transitions":
        if args.model:
            if args.system:
                raise Error("--system is for the oracle, --model for models: give one of the two")
            study = transitions.parsing_study(_pairs(treebanks, args.model), args.beam, args.threads)
        else:
            contenders = [_contender(text) for text in args.system] if args.system else transitions.CONTENDERS
            study = transitions.transitions_study(_told(treebanks), contenders, args.threads)
        show([study], args, plots.plot_lines)
    elif args.study == "time":
        show([timing.time_study(_pairs(treebanks, args.model), args.beam, args.repeats)], args, plots.plot_times)
    elif args.study == "lifting":
        studies = classes.lifting_studies(_told(treebanks))
        show(studies, args, lambda _, path: plots.plot_bars(studies[1], path))
    else:
        measure = {"classes": classes.classes_study, "planarity": classes.planarity_study}[args.study]
        show([measure(_told(treebanks))], args, plots.plot_bars)


def _certify(args: argparse.Namespace) -> None:
    from fastparse.corpus.files.output import open_output
    from fastparse.studies.certify import certificate, checker

    line = Line(None)
    try:
        with open_output(args.output) as out:
            if args.checker:
                out.write(checker())
                return
            for text in certificate(args.systems.split(",") if args.systems else None, args.words, line.show):
                out.write(f"{text}\n".encode())
    finally:
        line.clear()


def _accuracy(args: argparse.Namespace) -> Study:
    from fastparse.studies.accuracy import Training, accuracy_study, contender
    from fastparse.studies.treebanks import sources

    contenders = [contender(text) for text in args.systems.split(",")]
    trainings = [Training(args.beam, args.iterations, seed, args.oracle, args.labels) for seed in args.seeds]
    line = Line(False if args.quiet else None)
    try:
        return accuracy_study(
            sources(args.treebanks), contenders, args.work, trainings, args.part, args.convention, args.threads,
            report=line.show,
        )  # fmt: skip
    finally:
        line.clear()


def show(studies: list[Study], args: argparse.Namespace, plot: Any) -> None:
    """Print the tables, and write the files that were asked for; the plot is given the first study."""
    import json

    from fastparse.corpus.files.output import write_output

    print("\n\n".join(study.text() for study in studies))
    if args.json:
        documents = [json.loads(study.to_json()) for study in studies]
        document = {**documents[0], **({"more": documents[1:]} if documents[1:] else {})}
        write_output(args.json, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    if args.markdown:
        write_output(args.markdown, "\n".join(study.markdown() for study in studies))
    if args.latex:
        write_output(args.latex, "\n".join(study.latex() for study in studies))
    if args.plot:
        plot(studies[0], args.plot)


def _told(treebanks: list[Source]) -> Iterator[Source]:
    """The treebanks, with a line that says which it is."""
    return told(treebanks, lambda source: source.name)


def _pairs(treebanks: list[Source], models: list[str]) -> Iterator[tuple[Source, Parser]]:
    """Every model on every treebank."""
    from fastparse.model.finding import find
    from fastparse.parser import load

    parsers = [load(find(path)) for path in models]
    pairs = [(source, parser) for source in treebanks for parser in parsers]
    return told(pairs, lambda pair: f"{pair[0].name}: {Path(pair[1].path or '').stem}")


def _contender(text: str) -> tuple[str, dict[str, str]]:
    system, _, oracle = text.partition(":")
    return system, {"projective" if system == "three-step" else "oracle": oracle} if oracle else {}


def _beams(text: str) -> tuple[int, ...]:
    return tuple(beam_size(part) for part in text.split(","))


def numbers(text: str) -> tuple[int, ...]:
    """Of a list with commas."""
    return tuple(positive(part) for part in text.split(","))
