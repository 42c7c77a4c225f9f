"""The best trees of a sentence, as notes in MISC.

Every word has its head and label in each tree (`Trees=2:nsubj;3:obj`), best first; the first word also the
probabilities of the trees (`TreeProbs=0.8120;0.1040`). So they go wherever MISC goes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["PROBS_KEY", "TREES_KEY", "Alternative", "read_trees", "with_trees", "without_notes"]

TREES_KEY, PROBS_KEY = "Trees", "TreeProbs"
_ESCAPED: dict[str, str | int | None] = {mark: f"%{ord(mark):02X}" for mark in "%;|="}  # in labels
_CODES = re.compile("%(?:25|3B|7C|3D)")


class Alternative(NamedTuple):
    """One of the best trees: a head and a label for each word, and how probable it is that all are right."""

    heads: list[int]
    deprels: list[str]
    probability: float


def with_trees(
    treebank: Treebank, heads: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], names: Sequence[str],
    probabilities: np.ndarray[Any, Any],
) -> Treebank:  # fmt: skip
    """The treebank with these trees among the notes of MISC; older ones are replaced.

    Args:
        heads, labels: [trees, words], labels as places in `names`.
        probabilities: [trees, sentences], 0 for trees behind the last one of a sentence.
    """
    plain = [without_notes(string, (TREES_KEY, PROBS_KEY)) for string in treebank.table("misc")]
    escaped = [name.translate(str.maketrans(_ESCAPED)) for name in names]
    head_rows, label_rows, misc = heads.T.tolist(), labels.T.tolist(), treebank.ids("misc").tolist()
    counts = np.maximum(1, np.count_nonzero(probabilities, axis=0)).tolist()
    strings: dict[str, int] = {}
    column = np.zeros(len(misc), np.int32)
    for s, (begin, end) in enumerate(pairwise(treebank.offsets.tolist())):
        for word in range(begin, end):
            pairs = zip(head_rows[word][: counts[s]], label_rows[word][: counts[s]], strict=True)
            notes = [plain[misc[word]]] if plain[misc[word]] else []
            notes.append(f"{TREES_KEY}={';'.join(f'{head}:{escaped[label]}' for head, label in pairs)}")
            if word == begin:
                shown = ";".join(f"{p:.4f}" for p in probabilities[: counts[s], s].tolist())
                notes.append(f"{PROBS_KEY}={shown}")
            column[word] = strings.setdefault("|".join(notes), len(strings))
    return treebank.with_columns(misc=(column, list(strings)))


def read_trees(misc: Sequence[str]) -> list[Alternative]:
    """The trees among the notes of a sentence, best first; none if there are no such notes.

    Raises:
        Error: if the notes are of no trees.
    """
    notes = [dict(note.partition("=")[::2] for note in cell.split("|")) for cell in misc]
    if not notes or PROBS_KEY not in notes[0]:
        return []
    back = {code: mark for mark, code in _ESCAPED.items()}
    try:
        rows = [[part.partition(":") for part in note[TREES_KEY].split(";")] for note in notes]
        return [
            Alternative(
                [int(row[k][0]) for row in rows],
                [_CODES.sub(lambda found: back[found.group()], row[k][2]) for row in rows],
                float(probability),
            )
            for k, probability in enumerate(notes[0][PROBS_KEY].split(";"))
        ]
    except (ValueError, KeyError, IndexError):
        raise Error(f"the notes {TREES_KEY} and {PROBS_KEY} in MISC are of no trees: {misc[0]}") from None


def without_notes(misc: str, keys: tuple[str, ...]) -> str:
    """Notes but for those under some keys; "" for none."""
    kept = [note for note in misc.split("|") if note.partition("=")[0] not in keys]
    return "" if kept == ["_"] else "|".join(kept)
