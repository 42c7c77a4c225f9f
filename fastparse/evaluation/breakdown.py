"""A breakdown: attachment scores group by group, with the precision of the groups a parse itself makes."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fastparse.evaluation.comparison import Comparison, Integers, Mask
from fastparse.evaluation.tables import percent, text_table


@dataclass(frozen=True)
class Group:
    """Scores of one group of words, in per cent; None where there is nothing to divide by.

    Attributes:
        name: what the words share.
        words: words of the group in the gold trees; la, uas and las are shares of them.
        la: those with the right label.
        uas: those with the right head.
        las: those with both right: the labelled recall of the group.
        predicted: words of the group in the parse, None where the parse cannot change the group.
        precision: of these, those with the right head and label.
    """

    name: str
    words: int
    la: float | None
    uas: float | None
    las: float | None
    predicted: int | None = None
    precision: float | None = None


@dataclass(frozen=True)
class Breakdown:
    """Groups of words under one convention.

    Attributes:
        title: what the groups are, and which table of the literature shows them.
        convention: "ud", "conllx" or "all".
        groups: in a fixed order; they may overlap.
    """

    title: str
    convention: str
    groups: tuple[Group, ...]

    def __getitem__(self, name: str) -> Group:
        for group in self.groups:
            if group.name == name:
                return group
        raise KeyError(name)

    def table(self) -> str:
        """The groups for people."""
        header = ["group", "words", "LA", "UAS", "LAS"]
        rows = [[group.name, group.words, group.la, group.uas, group.las] for group in self.groups]
        if any(group.predicted is not None for group in self.groups):
            header += ["predicted", "precision"]
            rows = [[*row, group.predicted, group.precision] for row, group in zip(rows, self.groups, strict=True)]
        return f"{self.title} (convention {self.convention})\n\n{text_table(header, rows)}"

    def to_dict(self) -> dict[str, Any]:
        """The groups for programs; ready for JSON."""
        return asdict(self)


def break_down(
    comparison: Comparison, convention: str, title: str, groups: Iterable[tuple[str, Mask, Mask | None]]
) -> Breakdown:
    """Score groups given as (name, words in the gold trees, words in the parse or None); they may overlap."""
    scored = comparison.scored(convention)
    verdicts = [np.ones(comparison.n_words, bool), *_verdicts(comparison, convention)]
    rows = []
    for name, gold, predicted in groups:
        counts = [int(np.count_nonzero(verdict & gold & scored)) for verdict in verdicts]
        if predicted is None:
            rows.append(_group(name, counts))
            continue
        predicted = predicted & scored
        rows.append(
            _group(name, counts, int(np.count_nonzero(predicted)), int(np.count_nonzero(verdicts[-1] & predicted)))
        )
    return Breakdown(title, convention, tuple(rows))


def partition(
    comparison: Comparison,
    convention: str,
    title: str,
    names: list[str],
    gold: Integers,
    predicted: Integers | None = None,
) -> Breakdown:
    """Score groups that do not overlap, given as the group of every word; one pass, however many groups.

    Groups without a word that counts, in the gold trees or in the parse, are left out.
    """
    scored = comparison.scored(convention)

    def sizes(groups: Integers, words: Mask) -> list[int]:
        return list(np.bincount(groups[words], minlength=len(names)).tolist())

    verdicts = [scored, *(verdict & scored for verdict in _verdicts(comparison, convention))]
    counts = list(zip(*(sizes(gold, verdict) for verdict in verdicts), strict=True))
    if predicted is None:
        rows = [_group(name, of) for name, of in zip(names, counts, strict=True)]
    else:
        predictions, precise = sizes(predicted, scored), sizes(predicted, verdicts[-1])
        rows = [_group(*row) for row in zip(names, counts, predictions, precise, strict=True)]
    return Breakdown(title, convention, tuple(row for row in rows if row.words or row.predicted))


def _verdicts(comparison: Comparison, convention: str) -> tuple[Mask, Mask, Mask]:
    """Words with the right label, with the right head, with both."""
    labels, predicted_labels, _ = comparison.labels_under(convention)
    right_label = labels == predicted_labels
    return right_label, comparison.right_heads, right_label & comparison.right_heads


def _group(name: str, counts: Sequence[int], predicted: int | None = None, precise: int = 0) -> Group:
    """A group from its words, of which so many have the right label, head, both."""
    words = counts[0]
    la, uas, las = (percent(count, words) if words else None for count in counts[1:])
    return Group(name, words, la, uas, las, predicted, percent(precise, predicted) if predicted else None)
