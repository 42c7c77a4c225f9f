"""A parse beside the gold trees, word by word, and the conventions of scoring: which words count, and how much of a
label is compared.

convention   words that count                              labels
ud           all                                           the part before the first colon
conllx       those whose gold form is not all punctuation  whole
all          all                                           whole

"ud" is what the shared tasks on Universal Dependencies measure, "conllx" what those of 2006 and 2007 measured.
Punctuation is Unicode's category P, so that "$", "+" and "<" (category S) count under every convention.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error, UnknownNameError

Mask = NDArray[np.bool_]
Integers = NDArray[np.integer]

CONVENTIONS = {
    "ud": "labels without subtypes, punctuation counts",
    "conllx": "whole labels, words of punctuation alone left out",
    "all": "whole labels, every word counts",
}

# What CLAS counts: every universal relation but those of function words and punctuation.
CONTENT_RELATIONS = frozenset(
    {
        "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse",
        "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl",
        "orphan", "parataxis", "reparandum", "root", "vocative", "xcomp",
    }
)  # fmt: skip


def check_convention(name: str) -> str:
    """Return `name`, or say which conventions there are."""
    if name not in CONVENTIONS:
        raise UnknownNameError(f"unknown convention {name!r}: expected one of {', '.join(map(repr, CONVENTIONS))}")
    return name


def universal(label: str) -> str:
    """The label without its subtype: ``nsubj`` of ``nsubj:pass``."""
    return label.partition(":")[0]


def is_punctuation(form: str) -> bool:
    """Whether every character of a form is punctuation (Unicode category P); an empty form is not."""
    return form != "" and all(category(character)[0] == "P" for character in form)


@dataclass(frozen=True)
class Comparison:
    """A gold treebank and another annotation of its words: arrays of one item per word, except `offsets`.

    Attributes:
        offsets: where each sentence begins, and the number of words at the end.
        heads: gold heads, 0 the root.
        predicted_heads: the same for the other annotation; -1 (no head) is never right.
        labels: gold labels as places in `label_table`.
        predicted_labels: the same for the other annotation.
        label_table: the labels of both.
        form_ids: forms as places in `form_table`.
        form_table: the distinct forms.
    """

    offsets: Integers
    heads: Integers
    predicted_heads: Integers
    labels: Integers
    predicted_labels: Integers
    label_table: list[str]
    form_ids: Integers
    form_table: list[str]

    @property
    def n_words(self) -> int:
        return len(self.heads)

    @property
    def n_sentences(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def sentence_lengths(self) -> Integers:
        return np.diff(self.offsets)

    @cached_property
    def positions(self) -> Integers:
        """The number of each word in its sentence, from 1."""
        return np.arange(1, self.n_words + 1) - np.repeat(self.offsets[:-1], self.sentence_lengths)

    @cached_property
    def right_heads(self) -> Mask:
        return np.asarray(self.heads == self.predicted_heads)

    @cached_property
    def _punctuation(self) -> Mask:
        return np.fromiter(map(is_punctuation, self.form_table), bool, len(self.form_table))[self.form_ids]

    @cached_property
    def _universal(self) -> tuple[Integers, list[str]]:
        """For each label the place of its universal part, and the table of those."""
        places: dict[str, int] = {}
        ids = [places.setdefault(universal(label), len(places)) for label in self.label_table]
        return np.array(ids, np.int32), list(places)

    def scored(self, convention: str) -> Mask:
        """The words that count under a convention."""
        if check_convention(convention) == "conllx":
            return ~self._punctuation
        return np.ones(self.n_words, bool)

    def labels_under(self, convention: str) -> tuple[Integers, Integers, list[str]]:
        """Gold labels, predicted labels and their table as a convention compares them."""
        if check_convention(convention) != "ud":
            return self.labels, self.predicted_labels, self.label_table
        universals, table = self._universal
        return universals[self.labels], universals[self.predicted_labels], table


def compare(gold: Any, predicted: Any) -> Comparison:
    """Bring two annotations of the same words together.

    Args:
        gold: a treebank, or anything `fastparse.read_conllu` takes.
        predicted: the same sentences with other heads and labels.
    Raises:
        Error: if the words differ, or a gold word has no head.
    """
    gold, predicted = as_treebank(gold), as_treebank(predicted)
    form_table, form_ids = gold.table("form"), gold.ids("form")
    predicted_forms = _translated(predicted.ids("form"), predicted.table("form"), form_table)
    if not _same(gold, predicted, predicted_forms):
        raise Error(_first_difference(gold, predicted, form_ids, predicted_forms))
    require_gold_heads(gold)
    label_table = list(gold.deprel_table)
    labels = _named(gold.deprel_ids, label_table)
    predicted_table = list(predicted.deprel_table)
    predicted_labels = _named(predicted.deprel_ids, predicted_table)
    return Comparison(
        gold.offsets,
        gold.heads,
        predicted.heads,
        labels,
        _translated(predicted_labels, predicted_table, label_table, extend=True),
        label_table,
        form_ids,
        form_table,
    )


def as_treebank(source: Any) -> Treebank:
    """A treebank as it is, if its labels have names; anything else as `fastparse.read_conllu` reads it."""
    if not isinstance(source, Treebank):
        return read_conllu(source)
    source.require_labels()
    return source


def has_same_words(gold: Treebank, predicted: Treebank) -> bool:
    """Whether two treebanks have the same words in the same sentences, so that `compare` takes them."""
    return _same(gold, predicted, _translated(predicted.ids("form"), predicted.table("form"), gold.table("form")))


def require_gold_heads(gold: Treebank) -> None:
    """Raise Error if a gold word has no head."""
    if len(gold.heads) and gold.heads.min() < 0:
        raise Error(_headless(gold, int(np.argmax(gold.heads < 0))))


def _same(gold: Treebank, predicted: Treebank, predicted_forms: Integers) -> bool:
    return np.array_equal(gold.offsets, predicted.offsets) and np.array_equal(gold.ids("form"), predicted_forms)


def _named(ids: Integers, table: list[str]) -> Integers:
    """The ids with a place in the table, which grows, for words without a label: they have the label "_"."""
    if not len(ids) or ids.min() >= 0:
        return ids
    if "_" not in table:
        table.append("_")
    return np.where(ids < 0, np.int32(table.index("_")), ids)


def _translated(ids: Integers, table: list[str], into: list[str], extend: bool = False) -> Integers:
    """The ids of one table as ids of another; strings it lacks get -1, or are added to it."""
    if table == into:
        return ids
    places = {text: place for place, text in enumerate(into)}
    if extend:
        translation = [places.setdefault(text, len(places)) for text in table]
        into[:] = places
    else:
        translation = [places.get(text, -1) for text in table]
    return np.array(translation, np.int32)[ids]


def _first_difference(gold: Treebank, predicted: Treebank, forms: Integers, others: Integers) -> str:
    """Say where two treebanks cease to have the same words."""
    shared = min(len(gold), len(predicted))
    sentence = shared
    ends_differ = gold.offsets[1 : shared + 1] != predicted.offsets[1 : shared + 1]
    if ends_differ.any():
        sentence = int(np.argmax(ends_differ))
    words = min(len(forms), len(others))
    forms_differ = forms[:words] != others[:words]
    if forms_differ.any():
        sentence = min(sentence, int(np.searchsorted(gold.offsets, np.argmax(forms_differ), side="right")) - 1)
    advice = (
        "Both must have the same words in the same sentences. Only the scores of convention 'ud' can do without: they "
        "align the words of the same text."
    )
    if sentence == shared:
        extra = (gold if len(gold) > shared else predicted)[shared]
        return (
            f"the gold treebank has {len(gold)} sentences, the parsed one {len(predicted)}: the first without a "
            f"counterpart is {extra.where()}, {_quoted(extra.forms)}. {advice}"
        )
    left, right = gold[sentence].forms, predicted[sentence].forms
    word = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return (
        f"the files do not match: word {word + 1} of sentence {sentence + 1} is {_form(left, word)} in "
        f"{gold[sentence].where()}, but {_form(right, word)} in {predicted[sentence].where()}. {advice}"
    )


def _headless(gold: Treebank, word: int) -> str:
    number = int(np.searchsorted(gold.offsets, word, side="right")) - 1
    sentence, place = gold[number], word - int(gold.offsets[number])
    return (
        f"{sentence.where()}: gold word {place + 1}, {sentence.forms[place]!r}, has no head to compare with. "
        f"Is the parsed file given in place of the gold one?"
    )


def _form(forms: list[str], word: int) -> str:
    return repr(forms[word]) if word < len(forms) else "missing"


def _quoted(forms: list[str]) -> str:
    return repr(" ".join(forms[:6]) + (" …" if len(forms) > 6 else ""))
