"""How many transitions derivations take: a line through the origin, the worst case against its bound, and each move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.search.kinds import THREE_STEP, moves_of_steps
from fastparse.studies.table import Study, Verdict
from fastparse.studies.treebanks import Source
from fastparse.theory.derive import count_transitions
from fastparse.theory.oracles import fallbacks_of
from fastparse.transition_systems.registry import bound_of, check_options, resolve

if TYPE_CHECKING:
    from fastparse.parser import Parser


# What the study runs when nothing else is asked for: (system, options of its oracle).
CONTENDERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("arc-eager", {}),
    ("swap", {"oracle": "eager"}),
    ("swap", {"oracle": "lazy"}),
    ("2-planar", {}),
    ("two-registers", {}),
)


class Line(NamedTuple):
    """m = slope n, fitted by least squares; r2 is 1 - (squares about the line) / (squares about the mean)."""

    slope: float
    r2: float | None


def fit(n: np.ndarray, m: np.ndarray) -> Line:
    """The line through the origin closest to the points; (0, None) without points."""
    n, m = n.astype(np.float64), m.astype(np.float64)
    if not len(n) or not n.any():
        return Line(0.0, None)
    slope = float(n @ m / (n @ n))
    spread = float(((m - m.mean()) ** 2).sum())
    return Line(slope, 1 - float(((m - slope * n) ** 2).sum()) / spread if spread else None)


def transitions_study(
    treebanks: Iterable[Source], contenders: Iterable[tuple[str, dict[str, Any]]] = CONTENDERS, threads: int = 1
) -> Study:
    """One row per treebank and system; sentences outside the class of a system are counted, not fitted."""
    study, contenders = Study("Transitions against words, with the oracle", []), list(contenders)
    for source in treebanks:
        treebank = source.read()
        for system, options in contenders:
            by_move = count_transitions(treebank, system, by_move=True, threads=threads, **options)
            lengths = np.diff(treebank.offsets)
            inside = (by_move >= 0).all(axis=1) & (lengths > 0)
            n, m = lengths[inside], by_move[inside].sum(axis=1)
            study.points[source.name, system, str(options)] = (n, m)
            row = _row(source, system, options, n, m, by_move[inside].sum(axis=0).tolist())
            if system == "swap" and options.get("oracle") == "fewest":
                given_up = int(fallbacks_of(system, treebank.heads, treebank.offsets, "fewest").sum())
                study.notes.append(f"{source.name}: the search for the fewest swaps gave up {given_up:,} trees.")
            study.rows.append({"treebank": source.name, "trees": len(treebank), **row})
    study.notes.append(
        "moves/word is the slope of the line through the origin that fits best; R² is about the mean. most/word is "
        "that of the worst sentence. below bound is how many moves the sentence closest to the bound stays below it."
    )
    eager = [row for row in study.rows if _is_eager_swap(row)]
    study.columns = _columns(study)
    study.verdicts += [_within_bounds(study.rows), *_lines(eager, _WITH_ORACLE, "with the eager oracle")]
    return study


def parsing_study(pairs: Iterable[tuple[Source, Parser]], beam: int | None = None, threads: int = 1) -> Study:
    """The same for the derivations that trained parsers find; every sentence counts."""
    study = Study("Transitions against words, with trained models", [])
    for source, parser in pairs:
        treebank = source.read()
        _, work = parser.measure(treebank, beam, threads)
        said = {"beam": beam or parser.beam, "model": parser.sha256[:8]}
        filled = work.words > 0
        n, m = work.words[filled], work.transitions[filled]
        study.points[source.name, parser.system, str(said)] = (n, m)
        by_move = np.zeros(0, np.int32) if work.by_move is None else work.by_move.sum(axis=0)
        row = _row(source, parser.system, said, n, m, by_move.tolist(), parser.moves)
        study.rows.append({"treebank": source.name, "trees": len(treebank), **row})
    study.notes.append(
        "Moves that give headless words a head at the end are no transitions. The paper's slope is of its classifier."
    )
    study.columns = _columns(study)
    study.verdicts = [
        _within_bounds(study.rows),
        *_lines([row for row in study.rows if row["system"] == "swap"], _WITH_CLASSIFIER, "with a classifier"),
    ]
    return study


# Nivre (2009), Figure 5: slopes of swap's transitions against words, with the eager oracle and with a classifier.
PRINTED_LINES = {"Arabic": (2.06, 2.02), "Danish": (2.22, 2.07)}
_WITH_ORACLE, _WITH_CLASSIFIER = 0, 1


def _row(
    source: Source, system: str, options: dict[str, Any], n: np.ndarray, m: np.ndarray, totals: list[int],
    names: list[str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    line, bound = fit(n, m), bound_of(system)
    moves = {name: total for name, total in zip(names or moves_of(system, options), totals, strict=True) if total}
    # The paper's oracle swaps as early as it can; its classifier learnt from that oracle.
    of_paper = system == "swap" and (names is not None or options.get("oracle") == "eager")
    paper = PRINTED_LINES.get(source.language) if of_paper else None
    place = _WITH_ORACLE if names is None else _WITH_CLASSIFIER
    return {
        "language": source.language,
        "system": system,
        "options": options,
        "in class": len(n),
        "words": int(n.sum()),
        "transitions": int(m.sum()),
        "moves/word": line.slope,
        "R²": line.r2,
        "moves/word, paper": paper[place] if paper else None,
        "most/word": float((m / n).max()) if len(n) else None,
        "bound": bound.text if bound else None,
        "below bound": int((bound.of(n) - m).min()) if bound and len(n) else None,
        "moves": moves,
    }


def moves_of(system: str, options: dict[str, Any]) -> list[str]:
    """The moves of a system in the order of its table; of three-step, those of the first step and of the passes."""
    if system == THREE_STEP:
        return list(moves_of_steps(resolve(check_options(system, options)["projective"])))
    return list(resolve(system, **options).moves)


def _columns(study: Study) -> list[str] | None:
    """What people see: all but the language, which the name of the treebank tells."""
    return [name for name in study.rows[0] if name != "language"] if study.rows else None


def _is_eager_swap(row: dict[str, Any]) -> bool:
    return bool(row["system"] == "swap" and row["options"].get("oracle") == "eager")


def _within_bounds(rows: list[dict[str, Any]]) -> Verdict:
    bounded = [row for row in rows if row["below bound"] is not None]
    broken = [f"{row['treebank']} {row['system']}" for row in bounded if row["below bound"] < 0]
    return Verdict(
        "no derivation is longer than the bound of its system",
        "no data" if not bounded else "not reproduced" if broken else "reproduced",
        f"{sum(row['in class'] for row in bounded):,} derivations; longer: {', '.join(broken) or 'none'}",
    )


def _lines(rows: list[dict[str, Any]], place: int, how: str) -> Iterator[Verdict]:
    """Whether rows of swap lie on the lines of the paper, for those of its languages that are there."""
    for language, figures in PRINTED_LINES.items():
        contrast = f"swap on {language}: m = {figures[place]:.2f}n {how}, to within 0.1"
        slopes = [row["moves/word"] for row in rows if row["language"] == language]
        if not slopes:
            continue
        near = all(abs(slope - figures[place]) <= 0.1 for slope in slopes)
        detail = " and ".join(f"m = {slope:.2f}n" for slope in slopes)
        yield Verdict(contrast, "reproduced" if near else "not reproduced", detail)
