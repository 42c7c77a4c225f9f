"""Scores of a whole treebank: attachment, and, against the text, everything a parser from running text does."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fastparse.corpus.treebank import Treebank
from fastparse.display import html_table
from fastparse.evaluation import shared_task
from fastparse.evaluation.comparison import (
    CONTENT_RELATIONS,
    CONVENTIONS,
    Comparison,
    as_treebank,
    check_convention,
    compare,
    has_same_words,
    require_gold_heads,
    universal,
)
from fastparse.evaluation.graphs import GRAPH_MEASURES, graph_counts
from fastparse.evaluation.shared_task import Count
from fastparse.evaluation.tables import percent, text_table
from fastparse.evaluation.tokenization import aligned

MEASURES = ("uas", "las", "la", "clas", "exact", "exact_labelled")
HEADER = ("UAS", "LAS", "LA", "CLAS", "exact", "exact labelled")


@dataclass(frozen=True)
class Attachment:
    """Attachment scores in per cent, and the convention they follow.

    Attributes:
        uas: words with the right head.
        las: words with the right head and label.
        la: words with the right label.
        clas: the same as las over content words, as the balanced F-score of precision and recall; 0 where no label is
            one of Universal Dependencies' content relations.
        exact: sentences in which every word that counts has the right head.
        exact_labelled: sentences in which every word that counts has the right head and label.
        words: gold words that count.
        n_sentences: all gold sentences.
        convention: "ud", "conllx" or "all".
    """

    uas: float
    las: float
    la: float
    clas: float
    exact: float
    exact_labelled: float
    words: int
    n_sentences: int
    convention: str

    def table(self) -> str:
        """The scores for people."""
        return f"{self.heading()}\n\n{text_table(HEADER, [self.row()])}"

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [(name, value) for name, value in self.to_dict().items() if isinstance(value, (int, float, str))]
        return html_table(("score", ""), rows)

    def heading(self) -> str:
        """What was counted, and how."""
        convention = f"Convention {self.convention}: {CONVENTIONS[self.convention]}."
        return f"{convention}\nWords that count: {self.words:,}. Sentences: {self.n_sentences:,}."

    def row(self) -> list[float]:
        """The six percentages in the order of the table."""
        return [getattr(self, measure) for measure in MEASURES]

    def to_dict(self) -> dict[str, Any]:
        """The scores for programs; ready for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Scores(Attachment):
    """Scores in per cent, and the convention they follow.

    Those below are F-scores of the CoNLL 2018 shared task, whatever the convention: over all words, relations without
    subtypes. Where a parse has other words than the gold treebank, the scores of `Attachment` are F-scores too.

    Attributes:
        tokens: tokens (words and multiword tokens, as they are written) that stand on the same span of the text.
        sentences: sentences that stand on the same span.
        word_f1: words that could be aligned.
        upos, xpos: aligned words with the right tag.
        feats: aligned words with the right universal features.
        all_tags: aligned words with all three right.
        lemmas: aligned words with the right lemma; a gold lemma that is not given (`_`) is right.
        mlas: content words with the right head, label, UPOS and features, whose function words have them right too.
        blex: content words with the right head, label and lemma.
        predicted_words: words of the parse.
        counts: what the shared task's thirteen measures count: (name, `Count` with .precision, .recall, .f1).
        elas, eulas: arcs of enhanced graphs (DEPS, with empty nodes collapsed) that are right with their whole labels,
            or with labels without what stands behind the relation, as in the IWPT shared tasks; None where either side
            has no graphs.
        graph_arcs: the same without labels.
        graph_exact: sentences whose whole graph is right.
    """

    tokens: float
    sentences: float
    word_f1: float
    upos: float
    xpos: float
    feats: float
    all_tags: float
    lemmas: float
    mlas: float
    blex: float
    predicted_words: int
    counts: tuple[tuple[str, Count], ...]
    elas: float | None = None
    eulas: float | None = None
    graph_arcs: float | None = None
    graph_exact: float | None = None

    @property
    def precision(self) -> dict[str, float]:
        """The precision of each of the shared task's measures, by name."""
        return {name: count.precision for name, count in self.counts}

    @property
    def recall(self) -> dict[str, float]:
        """The recall of each of the shared task's measures, by name."""
        return {name: count.recall for name, count in self.counts}

    def table(self) -> str:
        """The scores for people; under "ud" with the shared task's measures."""
        if self.convention != "ud":
            return super().table()
        rows: list[list[Any]] = [
            [shared_task.MEASURES[name], count.precision, count.recall, count.f1] for name, count in self.counts
        ]  # fmt: skip
        if self.elas is not None:
            rows += [[title, "", "", getattr(self, name)] for name, title in GRAPH_MEASURES.items()]
        return f"{super().table()}\n\n{text_table(('measure', 'precision', 'recall', 'F1'), rows)}"

    def to_dict(self) -> dict[str, Any]:
        """The scores for programs; ready for JSON. "precision" and "recall" hold those of each measure by name."""
        fields = asdict(self)
        del fields["counts"]
        if self.elas is None:
            fields = {name: value for name, value in fields.items() if name not in GRAPH_MEASURES}
        return {**fields, "precision": self.precision, "recall": self.recall}


def evaluate(gold: Any, predicted: Any, convention: str = "ud") -> Scores:
    """Score a parse against the gold trees.

    Args:
        gold: a treebank, or anything `fastparse.read_conllu` takes.
        predicted: the same text with predicted words, heads and labels. A word without a head (``_``) is wrong.
            Conventions "conllx" and "all" need the same words in the same sentences; under "ud" words are aligned.
        convention: "ud" (equal to `udeval`), "conllx" or "all"; see `fastparse.evaluation.comparison`.
    Raises:
        Error: if the two do not have the same text, or not the same words where the convention needs them; the message
            shows the first difference.
        UnknownNameError: if there is no such convention.
    """
    check_convention(convention)
    return score_treebanks(as_treebank(gold), as_treebank(predicted), convention)


def score_treebanks(gold: Treebank, predicted: Treebank, convention: str) -> Scores:
    """Score one treebank against another; see `evaluate`."""
    same_words = has_same_words(gold, predicted)
    fields: dict[str, Any]
    if same_words or convention != "ud":
        attachment = score(compare(gold, predicted), convention)
        alignment = aligned(gold, predicted, same_words)
        counted = shared_task.counts(gold, predicted, alignment)
        fields = asdict(attachment)
    else:
        require_gold_heads(gold)
        alignment = aligned(gold, predicted, same_words)
        counted = shared_task.counts(gold, predicted, alignment)
        fields = {measure: counted[measure].f1 for measure in MEASURES}
        fields |= {"words": gold.n_words, "n_sentences": len(gold), "convention": convention}
    named = tuple((name, counted[name]) for name in shared_task.MEASURES)
    fields |= {name: count.f1 for name, count in named if name not in fields}
    fields |= {name: count.f1 for name, count in graph_counts(gold, predicted, alignment).items()}
    return Scores(**fields, predicted_words=predicted.n_words, counts=named)


def score(comparison: Comparison, convention: str = "ud") -> Attachment:
    """Score the heads and labels of a comparison already made; see `evaluate`."""
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
    return Attachment(
        uas=percent(np.count_nonzero(right_head & scored), n_words),
        las=percent(np.count_nonzero(right & scored), n_words),
        la=percent(np.count_nonzero(right_label & scored), n_words),
        clas=percent(2 * np.count_nonzero(right & gold_content), n_content),
        exact=percent(n_sentences - _sentences_with(comparison, scored & ~right_head), n_sentences),
        exact_labelled=percent(n_sentences - _sentences_with(comparison, scored & ~right), n_sentences),
        words=n_words,
        n_sentences=n_sentences,
        convention=convention,
    )


def _sentences_with(comparison: Comparison, words: Any) -> int:
    """How many sentences contain one of the words."""
    sentences = np.searchsorted(comparison.offsets, np.flatnonzero(words), side="right")
    return int(np.count_nonzero(np.diff(sentences, prepend=0)))
