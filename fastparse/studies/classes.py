"""Tree classes of treebanks: how many trees lie in each, what lifting into one costs, and what encodings keep.

Two layouts are those of published tables: shares of trees without punctuation (Pitler & McDonald, 2015, Table 1) and
counts of trees outside classes, all words included (Gómez-Rodríguez & Nivre, 2013, Table 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.evaluation.tables import percent
from fastparse.studies.table import Study
from fastparse.studies.treebanks import Source, without_punctuation
from fastparse.trees import (
    TreeClasses,
    classify_treebank,
    contains_treebank,
    deprojectivize_treebank,
    lift_treebank,
    nonprojective_arcs_treebank,
    projective_treebank,
    projectivize_treebank,
)
from fastparse.trees.pseudo_projective import ENCODINGS

__all__ = [
    "CROSSING_TABLE",
    "PLANAR_TABLE",
    "Coverage",
    "aligned",
    "classes_study",
    "coverage",
    "lifted",
    "lifting_studies",
    "outside_of",
    "planarity_study",
    "restored",
    "shares_of",
]


@dataclass(frozen=True)
class Coverage:
    """The classes of the trees of one treebank.

    Attributes:
        name: of the treebank.
        all_words: the classes of every tree.
        words_only: the classes of every tree without its punctuation.
        n_skipped: sentences that are no trees, which are in neither.
        punctuation: share of the words that were left out of `words_only`, per cent.
    """

    name: str
    all_words: TreeClasses
    words_only: TreeClasses
    n_skipped: int
    punctuation: float

    @property
    def n_trees(self) -> int:
        return len(self.all_words.projective)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """Everything both tables show, and more: per cent and counts."""
        row: dict[str, Any] = {
            "treebank": self.name,
            "trees": self.n_trees,
            "skipped": self.n_skipped,
            "punctuation": round(self.punctuation, 2),
        }
        for prefix, classes in (("", self.all_words), ("words_only.", self.words_only)):
            row |= {prefix + key: round(share, 2) for key, share in shares_of(classes).items()}
            row |= {prefix + key: count for key, count in outside_of(classes).items()}
        return row


def coverage(treebank: Treebank, name: str = "") -> Coverage:
    """Classify every tree of a treebank, with punctuation and without.

    Args:
        treebank: sentences that are no trees are counted and left out.
        name: for the tables.
    """
    good = treebank.trees()
    n_skipped = int((~good).sum())
    if n_skipped:
        treebank = treebank.select(good.nonzero()[0])
    heads, offsets = without_punctuation(treebank)
    return Coverage(
        name,
        classify_treebank(treebank.heads, treebank.offsets),
        classify_treebank(heads, offsets),
        n_skipped,
        100 * (1 - len(heads) / treebank.n_words) if treebank.n_words else 0.0,
    )


def shares_of(c: TreeClasses) -> dict[str, float]:
    """Per cent of the trees that lie in each class."""
    members: dict[str, np.ndarray[Any, Any]] = {
        "2-crossing-interval": np.asarray(c.crossing_interval) <= 2,
        "3-crossing-interval": np.asarray(c.crossing_interval) <= 3,
        "1-endpoint-crossing": np.asarray(c.one_endpoint_crossing),
        "projective": np.asarray(c.projective),
    }
    return {name: percent(np.count_nonzero(inside), len(inside)) for name, inside in members.items()}


def outside_of(c: TreeClasses) -> dict[str, int]:
    """How many trees lie outside each class.

    Raises:
        Error: when there are trees whose number of planes could not be found.
    """
    planes = np.asarray(c.planes)
    if (planes < 0).any():
        raise Error(f"the smallest number of planes of {int((planes < 0).sum())} trees is beyond the search")
    return {
        "non-projective": int((~np.asarray(c.projective)).sum()),
        "not planar": int((~np.asarray(c.planar)).sum()),
        "not 2-planar": int((planes > 2).sum()),
        "not 3-planar": int((planes > 3).sum()),
        "not 4-planar": int((planes > 4).sum()),
        "ill-nested": int((~np.asarray(c.well_nested)).sum()),
    }


def average(rows: Sequence[Sequence[Any]]) -> list[str]:
    """The row of means of a table of shares, the mean of the treebanks' shares as in the paper."""
    return ["average", *(f"{np.mean([float(row[i]) for row in rows]):.1f}" for i in range(1, len(rows[0])))]


@dataclass(frozen=True)
class Table:
    """A layout: the name of the columns and what stands in them."""

    title: str
    columns: tuple[str, ...]
    row: Callable[[Coverage], list[str]]
    averaged: bool

    def rows(self, treebanks: Iterable[Coverage]) -> list[list[str]]:
        rows = [self.row(found) for found in treebanks]
        if self.averaged and len(rows) > 1:
            rows.append(average(rows))
        return rows

    def text(self, treebanks: Iterable[Coverage]) -> str:
        """The table for people."""
        return aligned(self.title, self.columns, self.rows(treebanks))


def aligned(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Names to the left, numbers to the right."""
    lines = [columns, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    body = "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(line[i].rjust(widths[i]) for i in range(1, len(columns)))])
        for line in lines
    )
    return f"{title}\n{body}"


def _crossing_row(found: Coverage) -> list[str]:
    shares = shares_of(found.words_only)
    order = ("2-crossing-interval", "1-endpoint-crossing", "projective", "3-crossing-interval")
    return [found.name, *(f"{shares[name]:.1f}" for name in order)]


def _planar_row(found: Coverage) -> list[str]:
    n = max(found.n_trees, 1)
    outside = outside_of(found.all_words)
    return [found.name, f"{found.n_trees:,}", *(f"{count:,} ({100 * count / n:.2f}%)" for count in outside.values())]


CROSSING_TABLE = Table(
    "Trees in each class, %, punctuation left out",
    ("treebank", "2-crossing-interval", "1-endpoint-crossing", "projective", "3-crossing-interval"),
    _crossing_row,
    averaged=True,
)
PLANAR_TABLE = Table(
    "Trees outside each class, all words",
    (
        "treebank",
        "trees",
        "non-projective",
        "not planar",
        "not 2-planar",
        "not 3-planar",
        "not 4-planar",
        "ill-nested",
    ),
    _planar_row,
    averaged=False,
)


def lifted(treebank: Treebank, into: str = "2-crossing-interval") -> dict[str, Any]:
    """Words moved in the trees outside a class, by lifting into it and by making them projective."""
    heads, offsets = treebank.heads, treebank.offsets
    outside = ~contains_treebank(heads, offsets, into)
    _, moved = lift_treebank(heads, offsets, into)
    projective = projective_treebank(heads, offsets)
    return {
        "trees": len(outside),
        "trees outside": int(outside.sum()),
        "words": len(heads),
        "moved by lifting": moved,
        "moved by projectivizing": int((projective != heads)[np.repeat(outside, np.diff(offsets))].sum()),
    }


def restored(treebank: Treebank) -> dict[str, Any]:
    """Per encoding: share of the non-projective arcs that come back, per cent, and the number of labels."""
    heads, offsets, labels = treebank.heads, treebank.offsets, treebank.deprels
    arcs = nonprojective_arcs_treebank(heads, offsets)
    row: dict[str, Any] = {"non-projective arcs": int(arcs.sum()), "labels": len(set(labels))}
    for encoding in ENCODINGS:
        projective, marked = projectivize_treebank(heads, offsets, labels, encoding)
        back, _ = deprojectivize_treebank(projective, offsets, marked, encoding)
        row[encoding] = round(100 * float((back == heads)[arcs].mean()), 1) if arcs.any() else 100.0
        row[f"labels of {encoding}"] = len(set(marked))
    return row


def classes_study(treebanks: Iterable[Source]) -> Study:
    """Share of trees in the classes two-registers is compared with, punctuation removed, a row per treebank."""
    study = Study("Trees in each class, %, without punctuation", [])
    for source in treebanks:
        heads, offsets = without_punctuation(source.read())
        row: dict[str, Any] = {"treebank": source.name, "language": source.language, "trees": len(offsets) - 1}
        study.rows.append(row | shares_of(classify_treebank(heads, offsets, root_arcs=True)))
    return _without_language(study)


def planarity_study(treebanks: Iterable[Source]) -> Study:
    """Trees outside the classes of planarity, a row per treebank; punctuation is kept, arcs from the root left out."""
    study = Study("Trees outside each class", [])
    for source in treebanks:
        treebank = source.read()
        row: dict[str, Any] = {"treebank": source.name, "language": source.language, "trees": len(treebank)}
        row |= outside_of(classify_treebank(treebank.heads, treebank.offsets))
        study.rows.append(row | {"not 2-planar, %": percent(row["not 2-planar"], row["trees"])})
    return _without_language(study)


def lifting_studies(treebanks: Iterable[Source]) -> list[Study]:
    """Words moved by lifting and by projectivizing; what each pseudo-projective encoding keeps of the arcs."""
    lifting = Study("Words moved by lifting trees into a class, and by projectivizing them", [])
    encodings = Study("Non-projective arcs that come back from the labels of an encoding, %", [])
    for source in treebanks:
        treebank = source.read()
        lifting.rows.append({"treebank": source.name, **lifted(treebank)})
        encodings.rows.append({"treebank": source.name, **restored(treebank)})
    lifting.notes.append("trees outside: those that are not 2-crossing-interval; the words moved are words of these.")
    encodings.notes.append("labels: how many the treebank has; labels of an encoding: how many its encoding makes.")
    return [lifting, encodings]


def _without_language(study: Study) -> Study:
    """Tables leave the language out: the name of the treebank tells it."""
    study.columns = [name for name in study.rows[0] if name != "language"] if study.rows else None
    return study
