"""Attachment scores of a whole treebank."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fastparse.evaluation.comparison import Comparison, compare
from fastparse.evaluation.conventions import CONTENT_RELATIONS, CONVENTIONS, universal
from fastparse.evaluation.tables import percent, text_table

MEASURES = ("uas", "las", "la", "clas", "exact", "exact_labelled")
HEADER = ("UAS", "LAS", "LA", "CLAS", "exact", "exact labelled")


@dataclass(frozen=True)
class Scores:
    """Scores in per cent, and the convention they follow.

    Attributes:
        uas: words with the right head.
        las: words with the right head and label.
        la: words with the right label.
        clas: the same as las over content words, as the balanced F-score of precision and recall; 0 where no label is
            one of Universal Dependencies' content relations.
        exact: sentences in which every word that counts has the right head.
        exact_labelled: sentences in which every word that counts has the right head and label.
        words: words that count.
        sentences: all sentences.
        convention: "ud", "conllx" or "all".
    """

    uas: float
    las: float
    la: float
    clas: float
    exact: float
    exact_labelled: float
    words: int
    sentences: int
    convention: str

    def table(self) -> str:
        """The scores for people."""
        return f"{self.heading()}\n\n{text_table(HEADER, [self.row()])}"

    def heading(self) -> str:
        """What was counted, and how."""
        convention = f"Convention {self.convention}: {CONVENTIONS[self.convention]}."
        return f"{convention}\nWords that count: {self.words:,}. Sentences: {self.sentences:,}."

    def row(self) -> list[float]:
        """The six percentages in the order of the table."""
        return [getattr(self, measure) for measure in MEASURES]

    def to_dict(self) -> dict[str, Any]:
        """The scores for programs; ready for JSON."""
        return asdict(self)


def evaluate(gold: Any, predicted: Any, convention: str = "ud") -> Scores:
    """Score a parse against the gold trees.

    Args:
        gold: a treebank, or anything `fastparse.read_conllu` takes.
        predicted: the same sentences with predicted heads and labels. A word without a head (``_``) is wrong.
        convention: "ud" (equal to `udeval`), "conllx" or "all"; see `fastparse.evaluation.conventions`.
    Raises:
        Error: if the two do not have the same words in the same sentences; the message shows the first difference.
        UnknownNameError: if there is no such convention.
    """
    return score(compare(gold, predicted), convention)


def score(comparison: Comparison, convention: str = "ud") -> Scores:
    """Score a comparison already made; see `evaluate`."""
    scored = comparison.scored(convention)
    labels, predicted_labels, table = comparison.labels_under(convention)
    right_label = labels == predicted_labels
    right_head = comparison.right_heads
    right = right_head & right_label
    content = np.fromiter((universal(label) in CONTENT_RELATIONS for label in table), bool, len(table))
    gold_content = content[labels] & scored
    predicted_content = content[predicted_labels] & scored
    n_content = np.count_nonzero(gold_content) + np.count_nonzero(predicted_content)
    n_words, n_sentences = int(np.count_nonzero(scored)), comparison.n_sentences
    return Scores(
        uas=percent(np.count_nonzero(right_head & scored), n_words),
        las=percent(np.count_nonzero(right & scored), n_words),
        la=percent(np.count_nonzero(right_label & scored), n_words),
        clas=percent(2 * np.count_nonzero(right & gold_content), n_content),
        exact=percent(n_sentences - _sentences_with(comparison, scored & ~right_head), n_sentences),
        exact_labelled=percent(n_sentences - _sentences_with(comparison, scored & ~right), n_sentences),
        words=n_words,
        sentences=n_sentences,
        convention=convention,
    )


def _sentences_with(comparison: Comparison, words: Any) -> int:
    """How many sentences contain one of the words."""
    sentences = np.searchsorted(comparison.offsets, np.flatnonzero(words), side="right")
    return int(np.count_nonzero(np.diff(sentences, prepend=0)))
