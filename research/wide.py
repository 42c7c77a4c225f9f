"""Tables with a row per treebank and a column per contender, the paper's figures beside them, and an average."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fastparse.studies.table import Study
from research.results import Runs

# The measures of one cell, and their text: "LAS (UAS)" and the like.
Cells = dict[str, float | None]
Names = dict[str, tuple[str, ...]]


def wide_table(
    title: str,
    runs: list[Runs],
    names: Names,
    measure: Callable[[Runs], Cells],
    text: str,
    paper: Callable[[str, str], Cells | None],
) -> Study:
    """Rows hold a number per contender and measure, for programs, and a text per contender, for people.

    Args:
        names: the paper's systems, each with the contenders that stand for it, the best one first.
        measure: figures of a contender on a treebank.
        text: a format of these figures.
        paper: the paper's figures for a language (or "average") and one of its systems.
    """
    study = Study(title, [])
    contenders = list(dict.fromkeys(run.contender for run in runs))
    stands_for = _stands_for(contenders, names)
    figures = {(run.treebank, run.contender): measure(run) for run in runs}
    for treebank in dict.fromkeys(run.treebank for run in runs):
        there = [run for run in runs if run.treebank == treebank]
        row: dict[str, Any] = {"treebank": treebank}
        row |= {name: _common(there, name) for name in ("words", "iterations", "beam", "oracle", "labels", "seed")}
        for contender in contenders:
            _fill(row, contender, figures.get((treebank, contender)), text)
            if contender in stands_for:
                _fill(row, contender, paper(there[0].language, stands_for[contender]), text, ", paper")
        row["model"] = {run.contender: run.provenance()["model"] for run in there}
        study.rows.append(row)
    whole = [t for t in dict.fromkeys(run.treebank for run in runs) if all((t, c) in figures for c in contenders)]
    if len(study.rows) > 1:
        study.rows.append(_average(whole, contenders, figures, stands_for, paper, text))
    study.columns = ["treebank", "words", "iterations", "beam", "oracle", "labels", "seed"]
    for contender in contenders:
        study.columns.append(contender)
        if contender in stands_for:
            study.columns.append(f"{contender}, paper")
    study.columns.append("model")
    return study


def _stands_for(contenders: list[str], names: Names) -> dict[str, str]:
    """The paper's system that a contender stands for."""
    found = {}
    for system, choices in names.items():
        for choice in choices:
            if choice in contenders:
                found[choice] = system
                break
    return found


def _fill(row: dict[str, Any], contender: str, cells: Cells | None, text: str, suffix: str = "") -> None:
    row[f"{contender}{suffix}"] = None if cells is None else _text(text, cells)
    for name, value in (cells or {}).items():
        row[f"{contender} {name}{suffix}"] = value


def _text(text: str, cells: Cells) -> str:
    return text.format(**{name.replace(" ", "_"): "-" if v is None else f"{v:.2f}" for name, v in cells.items()})


def _common(runs: list[Runs], name: str) -> Any:
    """What the runs of a row share; otherwise each."""
    values = list(dict.fromkeys(run.provenance()[name] for run in runs))
    return values[0] if len(values) == 1 else " ".join(map(str, values))


def _average(
    treebanks: list[str], contenders: list[str], figures: dict[tuple[str, str], Cells], stands_for: dict[str, str],
    paper: Callable[[str, str], Cells | None], text: str,
) -> dict[str, Any]:  # fmt: skip
    """Over the treebanks that have every contender."""
    row: dict[str, Any] = {"treebank": f"average of {len(treebanks)}"}
    for contender in contenders:
        if treebanks:
            cells = [figures[treebank, contender] for treebank in treebanks]
            _fill(row, contender, {name: _mean([cell[name] for cell in cells]) for name in cells[0]}, text)
        if contender in stands_for:
            _fill(row, contender, paper("average", stands_for[contender]), text, ", paper")
    return row


def _mean(values: list[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return float(np.mean(there)) if there else None


def mean_over_seeds(cells: list[Cells]) -> Cells:
    """The mean of each measure."""
    return {name: _mean([cell[name] for cell in cells]) for name in cells[0]}
