"""Breakdowns by what can be read off one word: its label, the length of its arc, the length of its sentence."""

import numpy as np

from fastparse.evaluation.breakdown import Breakdown, partition
from fastparse.evaluation.comparison import Comparison, Integers

ARC_LENGTHS = (1, 2, 3, 4, 5, 10, 15, 20, 30)
SENTENCE_LENGTHS = (5, 10, 15, 20, 30, 40, 50, 75, 100)


def by_label(comparison: Comparison, convention: str = "ud") -> Breakdown:
    """One group per label, the most frequent gold label first."""
    labels, predicted, names = comparison.labels_under(convention)
    scored = comparison.scored(convention)
    sizes = np.bincount(labels[scored], minlength=len(names))
    order = sorted(range(len(names)), key=lambda label: (-int(sizes[label]), names[label]))
    places = np.empty(len(names), np.int32)
    places[order] = np.arange(len(names))
    ordered = [names[label] for label in order]
    return partition(comparison, convention, "By label", ordered, places[labels], places[predicted])


def by_arc_length(comparison: Comparison, convention: str = "ud", bounds: tuple[int, ...] = ARC_LENGTHS) -> Breakdown:
    """One group per range of arc lengths, words between the ends plus one; arcs from the root apart.

    Args:
        comparison: what `compare` returns.
        convention: see `fastparse.evaluation.conventions`.
        bounds: the longest length of each range but the last, increasing.
    """
    names = ["root", *_ranges(bounds), "no head"]

    def groups(heads: Integers) -> Integers:
        lengths = np.searchsorted(bounds, np.abs(heads - comparison.positions)) + 1
        return np.where(heads > 0, lengths, np.where(heads == 0, 0, len(names) - 1))

    return partition(
        comparison,
        convention,
        "By length of the arc",
        names,
        groups(comparison.heads),
        groups(comparison.predicted_heads),
    )


def by_sentence_length(
    comparison: Comparison, convention: str = "ud", bounds: tuple[int, ...] = SENTENCE_LENGTHS
) -> Breakdown:
    """One group per range of sentence lengths in words, whether they count or not; for `bounds` see `by_arc_length`."""
    groups = np.repeat(np.searchsorted(bounds, comparison.sentence_lengths), comparison.sentence_lengths)
    return partition(comparison, convention, "By length of the sentence", _ranges(bounds), groups)


def _ranges(bounds: tuple[int, ...]) -> list[str]:
    """Names of the ranges that end at each bound, and of the rest."""
    starts = [1, *(bound + 1 for bound in bounds)]
    names = [str(end) if start == end else f"{start}-{end}" for start, end in zip(starts, bounds, strict=False)]
    return [*names, f"{starts[-1]}+"]
