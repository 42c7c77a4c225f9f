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
    from fastparse.studies.training_runs import Campaign
    from fastparse.studies.treebanks import Source

EXAMPLES = (
    ("fastparse study transitions train.conllu --plot transitions.svg", "transitions against words"),
    (
        "fastparse study report treebanks/ -o report/",
        "all studies, trained for days perhaps; goes on where it was stopped",
    ),
)
STUDIES = {
    "transitions": "transitions against words, with the oracle or with models",
    "classes": "shares of trees in the classes two-registers is compared with",
    "planarity": "trees outside the classes of planarity",
    "accuracy": "train and parse, and score as the papers do; goes on where it was stopped",
    "crossing": "accuracy on crossed and uncrossed arcs, from the same results",
    "time": "time against words, per model and beam",
    "report": "all of these on a folder of treebanks, as Markdown and HTML; goes on where it was stopped",
}
SYSTEMS = "arc-eager,swap,two-registers"


def add_arguments(command: argparse.ArgumentParser) -> None:
    studies = command.add_subparsers(title="studies", metavar="STUDY", dest="study", required=True)
    for name, text in STUDIES.items():
        study = studies.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        study.add_argument("treebanks", nargs="+", type=Path, metavar="TREEBANK", help="files, or folders of treebanks")
        _ARGUMENTS[name](study)
        if name == "report":
            continue
        study.add_argument("--json", type=Path, metavar="OUT", help="write the rows and verdicts here")
        study.add_argument("--markdown", type=Path, metavar="OUT", help="write the table and verdicts here")
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


def _accuracy_arguments(study: argparse.ArgumentParser) -> None:
    _part(study, "dev")
    add = study.add_argument
    add("--systems", default=SYSTEMS, metavar="A,B,...", help="each NAME[:ORACLE][+ENCODING], such as "
        "two-registers, swap:eager, arc-eager+head (default: %(default)s)")  # fmt: skip
    add("--beam", type=beam_size, default=32, metavar="N", help="of training and parsing (default: %(default)s)")
    add("--iterations", type=positive, default=10, metavar="N", help="default: %(default)s")
    add("--seeds", type=_numbers, default=(1,), metavar="N,...", help="one training for each (default: 1)")
    add("--oracle", choices=("static", "dynamic"), default="static", help="of greedy trainings (--beam 1): static, "
        "one derivation for every system, or dynamic, for those that have such an oracle (default: %(default)s)"
    )  # fmt: skip
    add("--labels", choices=("arcs", "moves"), default="arcs", help="what labels are chosen by: once the arc is drawn, "
        "or with the moves, as in the papers (default: %(default)s)"
    )  # fmt: skip
    add("--sample", type=positive, metavar="WORDS", help="learn from the first sentences alone")
    add("--folds", type=positive, default=0, metavar="K", help="cross-validate on train.conllu instead of parsing PART")
    add("--convention", choices=("conllx", "all", "ud"), default="conllx", help="of scoring (default: %(default)s)")
    add("--tags", choices=("gold", "predicted"), default="gold",
        help="those of the treebank, or a tagger's that has not learnt from the sentence, learnt from the same "
        "sample (default: %(default)s)")  # fmt: skip
    add("--work", type=Path, default=Path("study"), metavar="DIR", help="keeps results (default: %(default)s)")
    add("--models", type=Path, metavar="DIR", help="models TREEBANK.SYSTEM.fp that need not be trained")
    add("--train", action=argparse.BooleanOptionalAction, default=True, help="train what there is no result for")
    add("--threads", type=positive, default=1, metavar="N", help="for parsing")
    add("-q", "--quiet", action="store_true", help="do not say how far it is")


def _report_arguments(study: argparse.ArgumentParser) -> None:
    _accuracy_arguments(study)
    study.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="gets report.md and report.html")


_ARGUMENTS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "transitions": _transitions_arguments,
    "classes": _part,
    "planarity": _part,
    "accuracy": _accuracy_arguments,
    "crossing": _accuracy_arguments,
    "time": _time_arguments,
    "report": _report_arguments,
}


def run(args: argparse.Namespace) -> None:
    from fastparse.studies import coverage, plots, timing, transitions
    from fastparse.studies.treebanks import sources

    if args.study == "report":
        from fastparse.studies.report import write_report

        with _campaign(args) as campaign:
            for path in write_report(args.treebanks, args.output, campaign, args.convention, args.tags):
                print(path)
        return
    if args.study in ("accuracy", "crossing"):
        _print(_accuracy(args), args, plots.plot_scores)
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
        _print([study], args, plots.plot_lines)
    elif args.study == "time":
        _print([timing.time_study(_pairs(treebanks, args.model), args.beam, args.repeats)], args, plots.plot_times)
    else:
        measure = {"classes": coverage.classes_study, "planarity": coverage.planarity_study}[args.study]
        _print([measure(_told(treebanks))], args, plots.plot_shares)


def _accuracy(args: argparse.Namespace) -> list[Study]:
    from fastparse.studies import accuracy
    from fastparse.studies.crossing import crossing_study

    with _campaign(args) as campaign:
        runs = campaign.runs(args.treebanks)
    provenance = accuracy.runs_study(runs, args.convention, campaign.missing, campaign.remarks)
    if args.study == "crossing":
        return [crossing_study(runs, args.convention), provenance]
    return [*accuracy.accuracy_studies(runs, args.convention, args.tags), provenance]


class _campaign:
    """A campaign as the options ask for, whose progress is shown while the block runs."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args, self._line = args, Line(False if args.quiet else None)

    def __enter__(self) -> Campaign:
        from fastparse.studies.contenders import contender
        from fastparse.studies.training_runs import Campaign

        args = self._args
        return Campaign(
            [contender(text) for text in args.systems.split(",")], args.work, args.part, args.beam, args.iterations,
            args.seeds, args.sample, args.folds, args.models, args.train, args.threads, args.oracle,
            args.labels, args.tags, self._show,
        )  # fmt: skip

    def __exit__(self, *_: object) -> None:
        self._line.clear()

    def _show(self, text: str) -> None:
        self._line.show(text)


def _print(studies: list[Study], args: argparse.Namespace, plot: Any) -> None:
    """The tables on standard output, and in the files that were asked for; the plot is of the first."""
    import json

    from fastparse.corpus.files.output import write_output

    print("\n\n".join(study.text() for study in studies))
    if args.json:
        documents = [json.loads(study.to_json()) for study in studies]
        document = {**documents[0], **({"more": documents[1:]} if documents[1:] else {})}
        write_output(args.json, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    if args.markdown:
        write_output(args.markdown, "\n".join(study.markdown() for study in studies))
    if args.plot:
        plot(studies[0], args.plot)


def _told(treebanks: list[Source]) -> Iterator[Source]:
    """The treebanks, with a line that says which it is."""
    return told(treebanks, lambda source: source.name)


def _pairs(treebanks: list[Source], models: list[str]) -> Iterator[tuple[Source, Parser]]:
    """Every model on every treebank."""
    from fastparse.parser import load

    parsers = [load(path) for path in models]
    pairs = [(source, parser) for source in treebanks for parser in parsers]
    return told(pairs, lambda pair: f"{pair[0].name}: {Path(pair[1].path or '').stem}")


def _contender(text: str) -> tuple[str, dict[str, str]]:
    system, _, oracle = text.partition(":")
    return system, {"projective" if system == "three-step" else "oracle": oracle} if oracle else {}


def _beams(text: str) -> tuple[int, ...]:
    return tuple(beam_size(part) for part in text.split(","))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(positive(part) for part in text.split(","))
