"""How sure a parser is: from probabilities of transitions to shares of arcs that are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.alternatives import without_notes
from fastparse.encoder.encoder import LOG_UNIT
from fastparse.encoder.reals import exponentials, logarithms
from fastparse.model.description import USUAL_CONFIDENCE, USUAL_TREE_CONFIDENCE
from fastparse.search.engine import NO_TREE

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["ARC_KEY", "LABEL_KEY", "confidence", "fitted", "fitted_to_trees", "tree_confidence", "with_notes"]

ARC_KEY, LABEL_KEY = "ArcProb", "LabelProb"  # in MISC
_SUREST = 1e-3  # no probability is nearer to 0 or 1
_FORCED = 0.9  # stands for that of a word all of whose moves were forced, which tell nothing of it
_THOUSAND = 1000
_STEPS = 30  # of Newton's method
_LEAST = 1e-9  # curvature, so that there is a step where nothing differs
_LEAST_TREE = 1e-12  # as probabilities of trees count
_FAR = 20.0


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
    pairs = zip(_odds(logs), right, strict=True)
    return tuple(number for odds, truth in pairs for number in _line([np.ones_like(odds), odds], truth))


def _line(rows: list[np.ndarray[Any, Any]], right: np.ndarray[Any, Any]) -> list[float]:
    """A logistic regression: the weight of each row, from what is right of each column; the second begins with 1."""
    n, truth = len(rows), right.astype(np.float64)
    line = [1.0 if k == 1 else 0.0 for k in range(n)]
    for _ in range(_STEPS):
        p = _logistic(_sum(line, rows))
        wrong, slope = truth - p, p * (1 - p)
        curve = [[float((slope * a * b).sum()) + (_LEAST if a is b else 0.0) for b in rows] for a in rows]
        step = _solved(curve, [float((wrong * row).sum()) for row in rows])
        line = [weight + min(1.0, max(-1.0, change)) for weight, change in zip(line, step, strict=True)]
    return [round(weight, 6) for weight in line]


def _sum(weights: Sequence[float], rows: list[np.ndarray[Any, Any]]) -> Any:
    """In their order, so that the bytes are the same on every machine."""
    return sum(weight * row for weight, row in zip(weights, rows, strict=True))


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of equations whose matrix is symmetric and positive."""
    rows, n = [[*row, value] for row, value in zip(matrix, right, strict=True)], len(right)
    for k in range(n):
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [rows[k][n] / rows[k][k] for k in range(n)]


# ── trees ──


def tree_confidence(scores: np.ndarray[Any, Any], fit: tuple[float, ...]) -> np.ndarray[Any, Any]:
    """The probabilities [trees, sentences] that a tree is right, heads and labels; never more than 1 together.

    Args:
        scores: of the best trees of sentences, best first, as `Decoder.decode` gives them.
        fit: see `fitted_to_trees`.
    """
    there = scores > NO_TREE
    found = np.where(there, _logistic(_sum(fit, _of_trees(scores))), 0.0)
    found = np.minimum.accumulate(found, axis=0)
    return np.asarray(found / np.maximum(1, found.sum(axis=0)))


def fitted_to_trees(scores: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> tuple[float, ...]:
    """What turns scores of trees into probabilities that are true of these sentences; `right` is bool of the shape."""
    there = scores > NO_TREE
    right = right[there]
    if not 0 < right.sum() < len(right):
        return USUAL_TREE_CONFIDENCE
    return tuple(_line([row[there] for row in _of_trees(scores)], right))


def _of_trees(scores: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """What a tree is judged by: the odds of its derivation; of the best one how far the next is behind it, of others
    that, and how far, they are behind the best."""
    logs = np.where(scores > NO_TREE, scores, 0) / LOG_UNIT
    p = np.clip(exponentials(np.minimum(logs, 0)), _LEAST_TREE, 1 - _SUREST)
    behind = np.broadcast_to(np.arange(len(scores))[:, None] > 0, logs.shape)
    lag = np.clip(logs - logs[0], -_FAR, 0) * behind
    lead = np.where(scores[1] > NO_TREE, np.clip(logs[1] - logs[0], -_FAR, 0), -_FAR) * ~behind
    return [np.ones_like(logs), logarithms(p / (1 - p)), lag, behind.astype(np.float64), lead]


def with_notes(treebank: Treebank, found: np.ndarray[Any, Any]) -> Treebank:
    """The treebank with probabilities, in thousandths, among the notes of MISC; older ones are replaced."""
    table = [without_notes(string, (ARC_KEY, LABEL_KEY)) for string in treebank.table("misc")]
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


def _odds(logs: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Logarithms of the odds of arcs, and of labelled arcs."""
    arc = np.where(logs[0] == 0, float(logarithms(_FORCED)), logs[0] / LOG_UNIT)
    p, q = (np.clip(exponentials(log), _SUREST, 1 - _SUREST) for log in (arc, arc + logs[1] / LOG_UNIT))
    return logarithms(p / (1 - p)), logarithms(q / (1 - q))


def _logistic(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(1 / (1 + exponentials(-np.clip(x, -60, 60))))
