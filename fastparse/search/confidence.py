"""How sure a parser is: from probabilities of transitions to shares of arcs that are right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.encoder.encoder import LOG_UNIT
from fastparse.encoder.reals import exponentials, logarithms
from fastparse.model.description import USUAL_CONFIDENCE

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["ARC_KEY", "LABEL_KEY", "confidence", "fitted", "with_notes"]

ARC_KEY, LABEL_KEY = "ArcProb", "LabelProb"  # in MISC
_SUREST = 1e-3  # no probability is nearer to 0 or 1
_FORCED = 0.9  # stands for that of a word all of whose moves were forced, which tell nothing of it
_THOUSAND = 1000
_STEPS = 30  # of Newton's method
_LEAST = 1e-9  # curvature, so that there is a step where nothing differs


def confidence(logs: np.ndarray[Any, Any], fit: tuple[float, ...]) -> np.ndarray[Any, Any]:
    """The probabilities [words, 2] that the head of a word is right, and that head and label are.

    Args:
        logs: of what a parser has done about arcs and labels, as `Decoder.decode` gives them.
        fit: offset and slope of the odds of arcs, then of labelled arcs, see `fitted`.
    """
    arc, label = (_logistic(fit[k] + fit[k + 1] * odds) for k, odds in zip((0, 2), _odds(logs), strict=True))
    return np.stack([arc, np.minimum(arc, label)], 1)


def fitted(logs: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> tuple[float, ...]:
    """What turns logarithms into probabilities that are true of these words.

    Args:
        logs: of some words.
        right: bool [2, words], whether their heads are right, and both heads and labels.

    Returns:
        Offset and slope of a logistic regression for each; the usual ones if there is nothing to learn from.
    """
    if not all(0 < rows.sum() < len(rows) for rows in right):
        return USUAL_CONFIDENCE
    found: list[float] = []
    for odds, truth in zip(_odds(logs), right.astype(np.float64), strict=True):
        line = np.array([0.0, 1.0])
        for _ in range(_STEPS):
            p = _logistic(line[0] + line[1] * odds)
            wrong, slope = truth - p, p * (1 - p)
            a, b, c = (float(x.sum()) for x in (slope, slope * odds, slope * odds * odds))
            x, y = float(wrong.sum()), float((wrong * odds).sum())
            a, c = a + _LEAST, c + _LEAST
            step = np.array([c * x - b * y, a * y - b * x]) / (a * c - b * b)
            line += np.clip(step, -1, 1)
        found += line.tolist()
    return tuple(round(number, 6) for number in found)


def with_notes(treebank: Treebank, found: np.ndarray[Any, Any]) -> Treebank:
    """The treebank with probabilities, in thousandths, among the notes of MISC; older ones are replaced."""
    table = [_without(string) for string in treebank.table("misc")]
    parts = np.rint(found * _THOUSAND).astype(np.int64)
    keys = (treebank.ids("misc").astype(np.int64) * (_THOUSAND + 1) + parts[:, 0]) * (_THOUSAND + 1) + parts[:, 1]
    used, ids = np.unique(keys, return_inverse=True)
    strings = []
    for key in used.tolist():
        rest, label = divmod(key, _THOUSAND + 1)
        place, arc = divmod(rest, _THOUSAND + 1)
        notes = f"{ARC_KEY}={arc / _THOUSAND:.3f}|{LABEL_KEY}={label / _THOUSAND:.3f}"
        strings.append(f"{table[place]}|{notes}" if table[place] else notes)
    return treebank.with_columns(misc=(ids.reshape(-1), strings))


def _without(misc: str) -> str:
    """Notes without those of an earlier parse; "" for none."""
    kept = [note for note in misc.split("|") if note.partition("=")[0] not in (ARC_KEY, LABEL_KEY)]
    return "" if kept == ["_"] else "|".join(kept)


def _odds(logs: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Logarithms of the odds of arcs, and of labelled arcs."""
    arc = np.where(logs[0] == 0, float(logarithms(_FORCED)), logs[0] / LOG_UNIT)
    p, q = (np.clip(exponentials(log), _SUREST, 1 - _SUREST) for log in (arc, arc + logs[1] / LOG_UNIT))
    return logarithms(p / (1 - p)), logarithms(q / (1 - q))


def _logistic(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(1 / (1 + exponentials(-np.clip(x, -60, 60))))
