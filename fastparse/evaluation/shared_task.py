"""The measures of the CoNLL 2018 shared task, each as precision, recall and F-score over aligned words.

A measure counts what is right, and how much there is to be right on either side. UPOS to LAS are over all words; CLAS,
MLAS and BLEX over words with a content relation, which each side decides for itself. Relations are compared without
their subtypes, features only as far as they are universal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastparse.corpus.treebank import Treebank
from fastparse.evaluation.comparison import CONTENT_RELATIONS, Integers, Mask, universal
from fastparse.evaluation.tables import percent
from fastparse.evaluation.tokenization import Alignment

# Names in `Scores`, and in tables.
MEASURES = {
    "tokens": "Tokens",
    "sentences": "Sentences",
    "word_f1": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "UFeats",
    "all_tags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}

# The relations of function words that MLAS asks for, and the features that are compared.
FUNCTION_RELATIONS = frozenset({"aux", "cop", "mark", "det", "clf", "case", "cc"})
UNIVERSAL_FEATURES = frozenset(
    {
        "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case", "Definite",
        "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Count:
    """What a measure counts.

    Attributes:
        right: what both sides have.
        gold: what there is to be found.
        predicted: what was put forward.
    """

    right: int
    gold: int
    predicted: int

    @property
    def precision(self) -> float:
        return percent(self.right, self.predicted)

    @property
    def recall(self) -> float:
        return percent(self.right, self.gold)

    @property
    def f1(self) -> float:
        """The balanced F-score."""
        return percent(2 * self.right, self.gold + self.predicted)


@dataclass(frozen=True)
class Side:
    """The columns of a treebank, as they are compared: integers that mean the same on both sides, one per word.

    Attributes:
        parents: the word each depends on, counted from 0 through all sentences; -1 for the root, -2 for none.
        labels: relations without subtypes.
        content, function: words whose relation is one of a content word, of a function word.
    """

    upos: Integers
    xpos: Integers
    feats: Integers
    lemmas: Integers
    parents: Integers
    labels: Integers
    content: Mask
    function: Mask


def counts(gold: Treebank, predicted: Treebank, alignment: Alignment) -> dict[str, Count]:
    """Count what is right by each of MEASURES, and by "la" (relations) and "exact", "exact_labelled" (sentences)."""
    (one, other), no_lemma = _sides(gold, predicted)
    g, p = alignment.gold_words, alignment.words
    gold_word = np.full(predicted.n_words + 2, -3)
    gold_word[p] = g
    gold_word[-2:] = -2, -1  # indices -2 and -1: no head is never right, the root is the root
    # A gold word without a head is not expected; if there is one, nothing is right.
    head = (gold_word[other.parents[p]] == one.parents[g]) & (one.parents[g] != -2)
    label = one.labels[g] == other.labels[p]
    upos, feats = one.upos[g] == other.upos[p], one.feats[g] == other.feats[p]
    xpos = one.xpos[g] == other.xpos[p]
    lemma = (one.lemmas[g] == other.lemmas[p]) | (one.lemmas[g] == no_lemma)
    las, content = head & label, one.content[g]
    right = {
        "upos": upos,
        "xpos": xpos,
        "feats": feats,
        "all_tags": upos & xpos & feats,
        "lemmas": lemma,
        "uas": head,
        "las": las,
        "la": label,
    }
    over_content = {
        "clas": las & content,
        "mlas": las & content & upos & feats & _same_function_words(one, other, g, p, las & upos & feats),
        "blex": las & content & lemma,
    }
    n_content = int(np.count_nonzero(one.content)), int(np.count_nonzero(other.content))
    n_sentences = int(np.count_nonzero(np.diff(gold.offsets))), int(np.count_nonzero(np.diff(predicted.offsets)))
    return {
        "tokens": Count(alignment.tokens, alignment.gold_tokens, alignment.predicted_tokens),
        "sentences": Count(len(alignment.sentences), *n_sentences),
        "word_f1": Count(len(p), gold.n_words, predicted.n_words),
        **{name: Count(int(np.count_nonzero(of)), gold.n_words, predicted.n_words) for name, of in right.items()},
        **{name: Count(int(np.count_nonzero(of)), *n_content) for name, of in over_content.items()},
        "exact": Count(_exact(gold, predicted, alignment, head), *n_sentences),
        "exact_labelled": Count(_exact(gold, predicted, alignment, las), *n_sentences),
    }


def _same_function_words(one: Side, other: Side, g: Integers, p: Integers, right: Mask) -> Mask:
    """For each pair of words, whether they have the same function words; `right` says which pairs agree themselves."""
    sizes = []
    for side in (one, other):
        below = side.function & (side.parents >= 0)
        sizes.append(np.bincount(side.parents[below], minlength=len(side.parents)))
    shared = g[right & one.function[g] & (one.parents[g] >= 0)]
    # Words are aligned in order, so as many shared ones as either side has are the same list.
    n_shared = np.bincount(one.parents[shared], minlength=len(one.parents))[g]
    return np.asarray((sizes[0][g] == n_shared) & (sizes[1][p] == n_shared))


def _exact(gold: Treebank, predicted: Treebank, alignment: Alignment, right: Mask) -> int:
    """Sentences that both have, of the same words, all of them right."""
    sentences = np.searchsorted(gold.offsets, alignment.gold_words[right], side="right") - 1
    n_right = np.bincount(sentences, minlength=len(gold))[alignment.gold_sentences]
    n_gold, n_predicted = (
        np.diff(treebank.offsets)[of]
        for treebank, of in ((gold, alignment.gold_sentences), (predicted, alignment.sentences))
    )
    return int(np.count_nonzero((n_right == n_gold) & (n_right == n_predicted)))


def _sides(gold: Treebank, predicted: Treebank) -> tuple[list[Side], int]:
    """The columns of both, and the integer of a lemma that is not given."""
    upos, xpos = (_column(gold, predicted, name, str) for name in ("upos", "xpos"))
    feats, lemmas = _column(gold, predicted, "feats", universal_features), _column(gold, predicted, "lemma", str)
    labels = _column(gold, predicted, "deprel", universal)
    sides = []
    for at, treebank in enumerate((gold, predicted)):
        classes = [
            np.fromiter((name in relations for name in labels.strings), bool, len(labels.strings))[labels.ids[at]]
            for relations in (CONTENT_RELATIONS, FUNCTION_RELATIONS)
        ]
        sides.append(
            Side(
                upos=upos.ids[at],
                xpos=xpos.ids[at],
                feats=feats.ids[at],
                lemmas=lemmas.ids[at],
                parents=_parents(treebank),
                labels=labels.ids[at],
                content=classes[0],
                function=classes[1],
            )
        )
    return sides, lemmas.strings.get("_", -1)


@dataclass(frozen=True)
class _Column:
    ids: tuple[Integers, Integers]
    strings: dict[str, int]


def _column(gold: Treebank, predicted: Treebank, name: str, compared: Callable[[str], str]) -> _Column:
    """A column of both treebanks, with one integer for all strings that count as the same."""
    strings: dict[str, int] = {}
    translations: dict[int, Any] = {}
    ids = []
    for treebank in (gold, predicted):
        table = treebank.table(name)
        if id(table) not in translations:
            # At the end, so that id -1 finds it: what is not given.
            translations[id(table)] = np.array(
                [strings.setdefault(compared(text), len(strings)) for text in (*table, "_")], np.int32
            )
        ids.append(translations[id(table)][treebank.ids(name)])
    return _Column((ids[0], ids[1]), strings)


def _parents(treebank: Treebank) -> Integers:
    lengths = np.diff(treebank.offsets)
    parents = np.repeat(treebank.offsets[:-1] - 1, lengths) + treebank.heads
    parents[treebank.heads == 0] = -1
    parents[(treebank.heads < 0) | (treebank.heads > np.repeat(lengths, lengths))] = -2
    return np.asarray(parents)


def universal_features(feats: str) -> str:
    """The universal features alone, in order."""
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL_FEATURES))
