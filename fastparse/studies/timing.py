"""Wall time against length, per system and beam, from the rows that parsing a file writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.search.engine import clock_overhead
from fastparse.studies.table import Study
from fastparse.studies.transitions import fit
from fastparse.studies.treebanks import Source

if TYPE_CHECKING:
    from fastparse.parser import Parser

_COUNTER = "instructions:u"


def time_study(
    pairs: Iterable[tuple[Source, Parser]], beams: Sequence[int | None] = (None,), repeats: int = 3
) -> Study:
    """Parse each file once to warm up, then `repeats` times; a sentence has the least of its times.

    `Study.points` holds words and nanoseconds; the raw rows stand in the rows of the study, under "rows".
    """
    study = Study("Time against words, one thread", [])
    counting = instructions_reason()
    for source, parser in pairs:
        for beam in dict.fromkeys(beam or parser.beam for beam in beams):
            if parser.system == "easy-first" and beam > 1:
                study.notes.append(f"easy-first has no beam: {source.name} with beam {beam} is left out.")
                continue
            row = _timed(study, source, parser, beam, repeats)
            if not counting and parser.path is not None:
                row["instructions per word"] = _instructions(source, parser.path, beam) / max(1, row["words"])
            study.rows.append(row)
    study.columns = [name for name in (study.rows[0] if study.rows else {}) if name != "rows"]
    study.notes += [
        f"Every file is parsed once as a warm-up, not counted, then {repeats} times; a sentence has the least "
        f"of its times. Looking at the clock takes {clock_overhead():.0f} ns and is not "
        "subtracted. Reading and writing are not timed.",
        "us/word: all nanoseconds over all words. slope: of the line through the origin that is closest to time over "
        "words, in microseconds; R2 is about the mean. exponent: the slope of log time over log words, sentences of 5 "
        "words or more; 1 is linear.",
    ]
    if counting:
        study.notes.append(f"Instructions are left out: {counting}.")
    return study


def _timed(study: Study, source: Source, parser: Parser, beam: int, repeats: int) -> dict[str, Any]:
    _rows_of(source, parser, beam)
    rounds = [_rows_of(source, parser, beam) for _ in range(max(1, repeats))]
    first = rounds[0]
    words = np.array([row["words"] for row in first], np.int64)
    transitions = np.array([row["transitions"] for row in first], np.int64)
    least = np.min([[row["nanoseconds"] for row in rows] for rows in rounds], axis=0).astype(np.int64)
    filled = words > 0
    n, t = words[filled], least[filled]
    study.points[source.name, parser.system, str(beam)] = (n, t)
    line = fit(n, t / 1000)
    total = int(n.sum())
    return {
        "treebank": source.name,
        "system": parser.system,
        "beam": beam,
        "model": parser.sha256[:8],
        "sentences": len(n),
        "words": total,
        "us/word": float(t.sum()) / 1000 / max(1, total),
        "words/s": round(1e9 * total / max(1, int(t.sum()))),
        "us/transition": float(t.sum()) / 1000 / max(1, int(transitions.sum())),
        "slope": line.slope,
        "R²": line.r2,
        "exponent": _exponent(n, t),
        "rows": [
            {**row, "nanoseconds": int(nanoseconds)} for row, nanoseconds in zip(first, least.tolist(), strict=True)
        ],
    }


def _rows_of(source: Source, parser: Parser, beam: int) -> list[dict[str, Any]]:
    """The rows of one pass over a file."""
    with tempfile.TemporaryDirectory() as folder:
        stats = Path(folder) / "stats.json"
        parser.parse_file(source.path, os.devnull, beam, stats=stats)
        rows: list[dict[str, Any]] = json.loads(stats.read_text(encoding="utf-8"))["rows"]
        return rows


def _exponent(n: np.ndarray, t: np.ndarray) -> float | None:
    """b of t = a n^b by least squares over the logarithms."""
    long = (n >= 5) & (t > 0)
    if len(np.unique(n[long])) < 2:
        return None
    return float(np.polyfit(np.log(n[long]), np.log(t[long]), 1)[0])


def instructions_reason() -> str | None:
    """Why instructions cannot be counted here; None if they can."""
    try:
        done = subprocess.run(
            ["perf", "stat", "-x,", "-e", _COUNTER, sys.executable, "-c", ""],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except OSError:
        return "there is no perf on this machine"
    return None if _counted(done.stderr) is not None else "perf cannot count them on this machine"


def _counted(text: str) -> int | None:
    """The count in the output of perf stat -x,."""
    for line in text.splitlines():
        cells = line.split(",")
        if _COUNTER in cells and cells[0].isdigit():
            return int(cells[0])
    return None


def _instructions(source: Source, model: str, beam: int) -> float:
    """Instructions of reading, parsing and writing a file, without those of starting and opening the model."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.conllu"
        empty.write_bytes(b"")
        counts = []
        for path in (source.path, empty):
            command = [sys.executable, "-m", "fastparse", "parse", str(path), "-m", model, "-q", "-o", os.devnull]
            done = subprocess.run(
                ["perf", "stat", "-x,", "-e", _COUNTER, *command, "--beam", str(beam)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            counts.append(_counted(done.stderr) or 0)
    return float(counts[0] - counts[1])
