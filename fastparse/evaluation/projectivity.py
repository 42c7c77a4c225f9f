"""Breakdowns by crossing and projectivity, as the papers on non-projective parsing print them.

An arc is crossed if another arc of its tree has one end strictly inside it and one strictly outside; arcs from the
root count as arcs. It is non-projective if a word strictly inside it is not dominated by its head; arcs from the root
never are. Both are questions about the whole tree, words that do not count included.
"""

from dataclasses import asdict, dataclass
from typing import Any

from fastparse.evaluation.arcs import crossed_arcs, nonprojective_arcs
from fastparse.evaluation.attachment import score
from fastparse.evaluation.breakdown import Breakdown, break_down
from fastparse.evaluation.comparison import Comparison
from fastparse.evaluation.tables import text_table


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
