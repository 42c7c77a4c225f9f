"""Breakdowns: attachment scores group by group, with the precision of the groups a parse itself makes.

Words are grouped by their label, by the length of their arc or sentence, and by whether their arc crosses others or is
projective, as the papers on non-projective parsing print it. An arc is crossed if another arc of its tree has one end
strictly inside it and one strictly outside; arcs from the root count as arcs. It is non-projective if a word strictly
inside it is not dominated by its head; arcs from the root never are. Both are questions about the whole tree, words
that do not count included.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fastparse.evaluation.attachment import score
from fastparse.evaluation.comparison import Comparison, Integers, Mask
from fastparse.evaluation.tables import percent, text_table
from fastparse.trees import crossed_arcs_treebank, nonprojective_arcs_treebank

ARC_LENGTHS = (1, 2, 3, 4, 5, 10, 15, 20, 30)
SENTENCE_LENGTHS = (5, 10, 15, 20, 30, 40, 50, 75, 100)


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
        convention: see `fastparse.evaluation.comparison`.
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


def by_crossing(comparison: Comparison, convention: str = "conllx") -> Breakdown:
    """Words whose gold arc is crossed and words whose gold arc is not (Pitler & McDonald 2015, Table 7)."""
    gold = crossed_arcs(comparison.heads, comparison.offsets)
    parse = crossed_arcs(comparison.predicted_heads, comparison.offsets)
    groups = [("crossed", gold, parse), ("uncrossed", ~gold, ~parse)]
    return break_down(comparison, convention, "By crossing of the arc", groups)


def by_projectivity(comparison: Comparison, convention: str = "conllx") -> Breakdown:
    """Projective and non-projective dependents, and each by direction (Lacroix & Béchet 2014, Table 7).

    A left dependent stands before its head. Words that depend on the root are projective and have no direction.
    """
    masks = []
    for heads in (comparison.heads, comparison.predicted_heads):
        crooked = nonprojective_arcs(heads, comparison.offsets)
        straight = ~crooked & (heads >= 0)
        left, right = heads > comparison.positions, (heads < comparison.positions) & (heads > 0)
        masks.append(
            {
                "projective": straight,
                "non-projective": crooked,
                "projective, root": straight & (heads == 0),
                "projective, left": straight & left,
                "projective, right": straight & right,
                "non-projective, left": crooked & left,
                "non-projective, right": crooked & right,
            }
        )
    gold, parse = masks
    groups = [(name, gold[name], parse[name]) for name in gold]
    return break_down(comparison, convention, "By projectivity of the arc", groups)


@dataclass(frozen=True)
class NonprojectiveArcs:
    """Labelled precision and recall on non-projective arcs, in per cent (Gómez-Rodríguez & Nivre 2013, Table 2).

    Attributes:
        precision: non-projective arcs of the parse that are right, label included; None if it has none.
        recall: non-projective gold arcs that the parse has, label included; None if there are none.
        predicted: non-projective arcs of the parse.
        gold: non-projective gold arcs.
        convention: "ud", "conllx" or "all".
    """

    precision: float | None
    recall: float | None
    predicted: int
    gold: int
    convention: str

    def table(self) -> str:
        """The four numbers for people."""
        header = ("precision", "of arcs", "recall", "of arcs")
        row = (self.precision, self.predicted, self.recall, self.gold)
        return f"Non-projective arcs, labelled (convention {self.convention})\n\n{text_table(header, [row])}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def nonprojective_precision_recall(comparison: Comparison, convention: str = "conllx") -> NonprojectiveArcs:
    """How many of the non-projective arcs a parse draws are right, and how many of the gold ones it draws."""
    row = by_projectivity(comparison, convention)["non-projective"]
    return NonprojectiveArcs(row.precision, row.las, row.predicted or 0, row.words, convention)


@dataclass(frozen=True)
class NonprojectiveTokens:
    """The columns of Nivre (2009), Table 1, in per cent.

    Attributes:
        las: labelled attachment score of all words that count.
        las_nonprojective: the same of words with a non-projective gold arc; None if there are none.
        exact: sentences with the right tree, without labels.
        exact_labelled: sentences with the right tree and labels.
        words: words with a non-projective gold arc.
        convention: "ud", "conllx" or "all".
    """

    las: float
    las_nonprojective: float | None
    exact: float
    exact_labelled: float
    words: int
    convention: str

    def table(self) -> str:
        """The numbers for people."""
        header = ("LAS", "on non-projective words", "of words", "exact", "exact labelled")
        row = (self.las, self.las_nonprojective, self.words, self.exact, self.exact_labelled)
        return f"Words with a non-projective gold arc (convention {self.convention})\n\n{text_table(header, [row])}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def nonprojective_tokens(comparison: Comparison, convention: str = "conllx") -> NonprojectiveTokens:
    """The labelled attachment score on words with a non-projective gold arc, beside that on all words."""
    scores = score(comparison, convention)
    row = by_projectivity(comparison, convention)["non-projective"]
    return NonprojectiveTokens(scores.las, row.las, scores.exact, scores.exact_labelled, row.words, convention)


# ── which arcs cross others, which are not projective ──

# Parses from elsewhere need not be trees: they may have cycles and words without a head. Compiled code answers for the
# trees, the definitions for the rest; a word without a head has no arc, so its answer is no.


def crossed_arcs(heads: Integers, offsets: Integers) -> Mask:
    """Words whose arc crosses another arc of the sentence, arcs from the root included."""
    return _answers(heads, offsets, crossed_arcs_treebank, _crossed)


def nonprojective_arcs(heads: Integers, offsets: Integers) -> Mask:
    """Words whose arc spans a word that the head does not dominate; arcs from the root never do."""
    return _answers(heads, offsets, nonprojective_arcs_treebank, _nonprojective)


def are_trees(heads: Integers, offsets: Integers) -> Mask:
    """Whether each sentence is a tree: from every word the heads lead to the root."""
    lengths = np.diff(offsets)
    starts, ends = np.repeat(offsets[:-1], lengths), np.repeat(offsets[1:], lengths)
    root, nowhere = len(heads), len(heads) + 1
    above = np.where(heads == 0, root, starts + heads - 1)
    above = np.append(np.where((heads < 0) | (above >= ends) & (heads > 0), nowhere, above), (root, nowhere))
    # Each round doubles the steps taken.
    for _ in range(int(lengths.max(initial=0)).bit_length()):
        above = above[above]
    lost = np.concatenate(([0], np.cumsum(above[:-2] != root)))
    return np.asarray(np.diff(lost[offsets]) == 0)


def _answers(
    heads: Integers,
    offsets: Integers,
    compiled: Callable[[Integers, Integers], Mask],
    defined: Callable[[list[int]], list[bool]],
) -> Mask:
    trees = are_trees(heads, offsets)
    if trees.all():
        return compiled(heads, offsets)
    # All words under the root: a tree that stands in for what is none.
    answers = compiled(np.where(np.repeat(trees, np.diff(offsets)), heads, 0).astype(np.int32), offsets)
    for sentence in np.flatnonzero(~trees):
        start, end = offsets[sentence], offsets[sentence + 1]
        answers[start:end] = defined(heads[start:end].tolist())
    return answers


def _crossed(heads: list[int]) -> list[bool]:
    spans = [sorted((head, word)) if 0 <= head <= len(heads) else (0, 0) for word, head in enumerate(heads, 1)]
    return [any(a < c < b < d or c < a < d < b for c, d in spans) for a, b in spans]


def _nonprojective(heads: list[int]) -> list[bool]:
    return [
        0 < head <= len(heads)
        and not all(_dominates(heads, head, between) for between in range(min(head, word) + 1, max(head, word)))
        for word, head in enumerate(heads, 1)
    ]


def _dominates(heads: list[int], head: int, word: int) -> bool:
    # A cycle has been seen after as many steps as there are words.
    for _ in range(len(heads) + 1):
        if word == head:
            return True
        if not 0 < word <= len(heads):
            return False
        word = heads[word - 1]
    return False
