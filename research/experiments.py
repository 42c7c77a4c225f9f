"""Every table of accuracy of the papers on all the data there is: which systems, treebanks, regimes and seeds.

`python -m research.tables all TREEBANKS -o DIR` trains what is missing, seed by seed, and writes the tables of what is
there: Markdown for people, CSV and LaTeX for other programs, a plot where matplotlib is installed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fastparse.corpus.files.output import write_output
from fastparse.errors import Error
from fastparse.parser import load
from fastparse.studies import plots, transitions
from fastparse.studies.accuracy import contender
from fastparse.studies.table import Study
from fastparse.studies.treebanks import Source, sources
from research import accuracy
from research.campaign import Campaign
from research.results import Runs

TREEBANKS = (
    "Ancient_Greek-AGLDT", "Arabic-PADT", "Basque-BDT", "Czech-Mixed", "Danish-DDT", "Dutch-LassySmall", "English-EWT",
    "German-Mixed", "Greek-GDT", "Hungarian-Szeged", "Latin-PROIELnative", "Portuguese-Bosque", "Slovenian-SSJ",
    "Swedish-Talbanken", "Turkish-IMST",
)  # fmt: skip


class Regime(NamedTuple):
    """How all systems of a table learn."""

    name: str
    meaning: str
    oracle: str = "static"
    labels: str = "arcs"
    update: str = "max-violation"
    margin: int = 5


PAPER = Regime(
    "paper", "as in the papers: labelled transitions, one derivation of a tree, early updates of beams, no margin",
    labels="moves", update="early", margin=0,
)  # fmt: skip
OWN = Regime("own", "labels once the arc is drawn, one derivation of a tree, updates of largest violation, a margin")
DYNAMIC = Regime("dynamic", "labels once the arc is drawn, dynamic oracles where there are any, a margin", "dynamic")
REGIMES = {regime.name: regime for regime in (PAPER, OWN, DYNAMIC)}

Make = Callable[[list[Runs], str], Study]


@dataclass(frozen=True)
class Experiment:
    """A table or two of a paper.

    Attributes:
        name: in `--only` and in the names of files.
        make: its tables, each from the runs and a convention of scoring.
        systems: contenders.
        languages: as the papers call them.
        regimes: each is a table of its own.
        beam, folds, tags: of a `Campaign`.
        measured: the system whose models' transitions are counted, too.
    """

    name: str
    make: tuple[Make, ...]
    systems: tuple[str, ...]
    languages: tuple[str, ...]
    regimes: tuple[Regime, ...] = (PAPER, OWN)
    beam: int = 1
    folds: int = 0
    tags: str = "gold"
    measured: str | None = None

    def treebanks(self, paths: Iterable[Path]) -> list[Source]:
        """Those of its languages among the fifteen."""
        found = [source for source in sources(list(paths), "train") if source.name in TREEBANKS]
        return [source for source in found if source.language in self.languages]

    def parts(self) -> list[tuple[Experiment, Regime]]:
        """It and each of its regimes."""
        return [(self, regime) for regime in self.regimes]


_TEN = (
    "Turkish", "Basque", "Dutch", "Greek", "Hungarian", "Slovene", "German", "Czech", "Portuguese", "English",
)  # fmt: skip
_REGISTERS = ("arc-eager", "swap", "two-registers")


def _predicted(runs: list[Runs], convention: str) -> Study:
    return accuracy.las_study(runs, convention, "predicted")


EXPERIMENTS = (
    Experiment(
        "planes", (accuracy.nonprojective_study,), ("arc-eager", "planar", "arc-eager+head", "2-planar"),
        ("Arabic", "Czech", "Danish", "Dutch", "German", "Portuguese", "Swedish", "Turkish",
         "Basque", "Hungarian", "Latin", "Ancient_Greek"),
        (DYNAMIC, PAPER, OWN),
    ),
    Experiment(
        "swap", (accuracy.nonprojective_words_study,), ("swap:eager", "swap:lazy", "arc-standard", "arc-standard+head"),
        ("Arabic", "Czech", "Danish", "Slovene", "Turkish"), measured="swap:eager",
    ),
    Experiment(
        "steps", (accuracy.projectivity_study,), ("covington", "arc-eager+path", "three-step"), ("Basque", "Slovene"),
        (PAPER, OWN, DYNAMIC), folds=10,
    ),
    Experiment("registers", (accuracy.las_study, accuracy.crossing_study), _REGISTERS, _TEN, beam=32),
    Experiment("tags", (_predicted,), _REGISTERS, _TEN, beam=32, tags="predicted"),
)  # fmt: skip


def chosen(names: Sequence[str]) -> list[tuple[Experiment, Regime]]:
    """Experiments and regimes by name: all, "planes", or "planes:paper".

    Raises:
        Error: if there is no such table or regime.
    """
    if not names:
        return [part for experiment in EXPERIMENTS for part in experiment.parts()]
    found = []
    for name in names:
        table, _, regime = name.partition(":")
        parts = [
            part
            for experiment in EXPERIMENTS
            for part in experiment.parts()
            if experiment.name == table and regime in ("", part[1].name)
        ]
        if not parts:
            known = ", ".join(f"{e.name}:{r.name}" for each in EXPERIMENTS for e, r in each.parts())
            raise Error(f"{name!r}: expected a table, or one of {known}")
        found += parts
    return found


def campaign(
    experiment: Experiment, regime: Regime, work: Path, seeds: tuple[int, ...], train: bool, threads: int,
    report: Callable[[str], object],
) -> Campaign:  # fmt: skip
    """What trains and parses."""
    return Campaign(
        [contender(name) for name in experiment.systems], work, beam=experiment.beam, seeds=seeds,
        folds=experiment.folds, train_missing=train, threads=threads, oracle=regime.oracle, labels=regime.labels,
        update=regime.update, margin=regime.margin, tags=experiment.tags, report=report,
    )  # fmt: skip


def run_all(
    paths: list[Path], work: Path, output: Path, only: Sequence[str] = (), seeds: tuple[int, ...] = (1, 2, 3),
    train: bool = True, threads: int = 1, convention: str = "conllx", report: Callable[[str], object] = lambda _: None,
) -> list[Path]:  # fmt: skip
    """Train what is missing, the first seed of everything first, and write all tables that have rows.

    Returns:
        The files.
    """
    parts = chosen(only)
    if train:
        for seed in seeds:
            for experiment, regime in parts:
                treebanks = [source.path for source in experiment.treebanks(paths)]
                if treebanks:
                    campaign(experiment, regime, work, (seed,), True, threads, report).runs(treebanks)
    output.mkdir(parents=True, exist_ok=True)
    written = []
    for experiment, regime in parts:
        for name, study in _studies(paths, work, experiment, regime, seeds, threads, convention, report):
            written += _write(study, output / name)
    return written


def _studies(
    paths: list[Path], work: Path, experiment: Experiment, regime: Regime, seeds: tuple[int, ...], threads: int,
    convention: str, report: Callable[[str], object],
) -> Iterator[tuple[str, Study]]:  # fmt: skip
    found = campaign(experiment, regime, work, seeds, False, threads, report)
    treebanks = experiment.treebanks(paths)
    runs = found.runs([source.path for source in treebanks]) if treebanks else []
    if not runs:
        return
    for number, make in enumerate(experiment.make):
        study = make(runs, convention)
        study.title += f"; {regime.name} regime"
        study.notes = [*study.notes, *_notes(experiment, regime, runs, found)]
        yield f"{experiment.name}{number + 1 if number else ''}-{regime.name}", study
    if experiment.measured:
        pairs = [
            (Source(source.name, source.path.with_name("dev.conllu")), load(path))
            for source in treebanks
            if (path := found.files.get((source.name, experiment.measured))) and path.exists()
        ]
        if pairs:
            study = transitions.parsing_study(pairs, experiment.beam, threads)
            study.title += f"; {regime.name} regime"
            yield f"{experiment.name}-transitions-{regime.name}", study


def _notes(experiment: Experiment, regime: Regime, runs: list[Runs], found: Campaign) -> list[str]:
    results = [result for run in runs for result in run.results]
    seconds = sum(result.seconds or 0.0 for result in results)
    notes = [
        f"Regime {regime.name}: {regime.meaning}. Beam {experiment.beam}, full training sets, {experiment.tags} tags"
        + (f", {experiment.folds} folds" if experiment.folds else "")
        + f". {len(results)} trainings, {seconds / 60:.0f} minutes."
    ]
    if found.missing:
        notes.append(f"Not there yet: {'; '.join(found.missing)}.")
    return notes + [f"{remark}." for remark in found.remarks]


def _write(study: Study, stem: Path) -> list[Path]:
    """NAME.md, NAME.csv, NAME.tex and, with matplotlib, NAME.svg."""
    files = {".md": study.markdown(), ".csv": as_csv(study), ".tex": study.latex()}
    written = []
    for suffix, text in files.items():
        write_output(stem.with_suffix(suffix), text)
        written.append(stem.with_suffix(suffix))
    try:
        plots.plot_bars(study, stem.with_suffix(".svg"))
        written.append(stem.with_suffix(".svg"))
    except Error:
        pass  # without matplotlib there is none
    return written


def as_csv(study: Study) -> str:
    """All numbers of all rows, and what tables show."""
    names = list(dict.fromkeys([*study.shown(), *(name for row in study.rows for name in row)]))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in study.rows:
        writer.writerow(["" if (value := row.get(name)) is None else _flat(value) for name in names])
    return out.getvalue()


def _flat(value: Any) -> Any:
    return " ".join(f"{key}:{one}" for key, one in value.items()) if isinstance(value, dict) else value
