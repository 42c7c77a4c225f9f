"""Enhanced graphs against gold ones, as the IWPT shared tasks of 2020 and 2021 compare them.

Empty nodes are collapsed: what hangs from one hangs from what that hangs from, by both labels. An arc is right if its
two words are aligned with those of a gold arc, and its label is that of the gold arc, whole (ELAS) or without what
stands behind the relation (EULAS).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.graphs import Graphs, collapsed_graphs
from fastparse.errors import ConlluError
from fastparse.evaluation.comparison import universal
from fastparse.evaluation.shared_task import Count

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.evaluation.tokenization import Alignment

__all__ = ["GRAPH_MEASURES", "graph_counts"]

# Names in `Scores`, and in tables.
GRAPH_MEASURES = {"elas": "ELAS", "eulas": "EULAS", "graph_arcs": "arcs of graphs", "graph_exact": "exact graphs"}


def graph_counts(gold: Treebank, predicted: Treebank, alignment: Alignment) -> dict[str, Count]:
    """Count what is right by each of GRAPH_MEASURES; nothing where either side has no graphs in DEPS."""
    if not (_filled(gold) and _filled(predicted)):
        return {}
    try:
        one, other = collapsed_graphs(gold), collapsed_graphs(predicted)
    except ConlluError:
        return {}  # trees are compared, whatever DEPS holds
    gold_word = np.full(predicted.n_words + 1, -2)
    gold_word[alignment.words] = alignment.gold_words
    gold_word[-1] = -1  # the root is the root
    heads, words = _places(gold, one)
    other_heads, other_words = (gold_word[of] for of in _places(predicted, other))
    known = (other_heads >= -1) & (other_words >= 0)
    found = {}
    for name, compared in (("elas", str), ("eulas", _universal_path), ("graph_arcs", lambda label: "")):
        number: dict[str, int] = {}
        labels, other_labels = (
            np.array([number.setdefault(compared(label), len(number)) for label in of.names], np.int64)[of.labels]
            if len(of.labels) else of.labels for of in (one, other)
        )  # fmt: skip
        rows = np.stack([words, heads, labels], axis=1)
        other_rows = np.stack([other_words, other_heads, other_labels], axis=1)[known]
        if name == "graph_arcs":  # arcs that differ in labels alone are one
            rows, other_rows = np.unique(rows, axis=0), np.unique(other_rows, axis=0)
        right = _pairs(rows, other_rows)
        n_other = len(other_rows) + int((~known).sum()) if name == "graph_arcs" else len(other.labels)
        found[name] = Count(right, len(rows), n_other)
        if name == "elas":
            found["graph_exact"] = _exact(gold, predicted, alignment, rows, other_rows, other)
    return {name: found[name] for name in GRAPH_MEASURES}


def _filled(treebank: Treebank) -> bool:
    ids, table = treebank.cells("deps")
    return bool(table.filled[ids].any())


def _universal_path(label: str) -> str:
    return ">".join(map(universal, label.split(">")))


def _places(treebank: Treebank, graphs: Graphs) -> tuple[Any, Any]:
    """The words of each arc, counted from 0 through all sentences; -1 is the root."""
    first = np.repeat(treebank.offsets[:-1], np.diff(graphs.offsets))
    return np.where(graphs.heads == 0, -1, first + graphs.heads - 1), first + graphs.dependents - 1


def _pairs(rows: Any, other: Any) -> int:
    """Pairs of equal rows."""
    both, inverse = np.unique(np.concatenate([rows, other]), axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    counts = (np.bincount(of, minlength=len(both)) for of in (inverse[: len(rows)], inverse[len(rows) :]))
    return int(np.dot(*counts))


def _exact(gold: Treebank, predicted: Treebank, alignment: Alignment, rows: Any, other: Any, graphs: Graphs) -> Count:
    """Sentences that both have, with the same graphs."""
    shared = set(map(tuple, rows.tolist())) & set(map(tuple, other.tolist()))
    at = np.searchsorted(gold.offsets, [word for word, _, _ in shared], side="right") - 1
    n_right = np.bincount(at.astype(np.int64), minlength=len(gold))[alignment.gold_sentences]
    of_gold = np.searchsorted(gold.offsets, rows[:, 0], side="right") - 1
    n_gold = np.bincount(of_gold, minlength=len(gold))[alignment.gold_sentences]
    n_other = np.diff(graphs.offsets)[alignment.sentences]
    right = int(np.count_nonzero((n_right == n_gold) & (n_right == n_other)))
    n_sentences = (int(np.count_nonzero(np.diff(of.offsets))) for of in (gold, predicted))
    return Count(right, *n_sentences)
