"""What lifting costs and what pseudo-projective encodings keep, treebank by treebank: the tables of docs/trees.md.

Run as ``python -m fastparse.studies.lifting TREEBANK...``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fastparse.corpus.treebank import Treebank
from fastparse.studies.treebanks import sources
from fastparse.trees import (
    contains_treebank,
    deprojectivize_treebank,
    lift_treebank,
    nonprojective_arcs_treebank,
    projective_treebank,
    projectivize_treebank,
)
from fastparse.trees.pseudo_projective import ENCODINGS

__all__ = ["lifted", "restored"]


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


def _markdown(rows: Sequence[tuple[str, dict[str, Any]]]) -> str:
    columns = ["treebank", *rows[0][1]]
    lines = [columns, ["---"] * len(columns)]
    lines += [[name, *(f"{value:,}" for value in row.values())] for name, row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(paths: Sequence[str]) -> None:
    """Print the tables for the treebanks in these files."""
    read = [(source.name, source.read()) for source in sources(map(Path, paths))]
    for table in (lifted, restored):
        print(_markdown([(name, table(treebank)) for name, treebank in read]), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
