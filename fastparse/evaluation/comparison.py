"""Two annotations of the same words, brought together: the input of every score and breakdown."""

from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastparse.errors import Error
from fastparse.evaluation.conventions import check_convention, is_punctuation, universal

Mask = NDArray[np.bool_]
Integers = NDArray[np.integer]


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
        return self.heads == self.predicted_heads

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


def compare(gold: Any, predicted: Any, gold_name: str | None = None, predicted_name: str | None = None) -> Comparison:
    """Bring two annotations of the same words together.

    Args:
        gold: a treebank, or anything `fastparse.read_conllu` takes.
        predicted: the same sentences with other heads and labels.
        gold_name: what messages call the gold treebank; by default its path, if it was given by one.
        predicted_name: the same for the other.
    Raises:
        Error: if the words differ, or a gold word has no head.
    """
    gold_name = gold_name or _name(gold, "the gold treebank")
    predicted_name = predicted_name or _name(predicted, "the prediction")
    gold, predicted = _treebank(gold), _treebank(predicted)
    form_table = list(gold.table("form"))
    form_ids = np.asarray(gold.ids("form"))
    predicted_forms = _translated(predicted.ids("form"), list(predicted.table("form")), form_table)
    offsets = np.asarray(gold.offsets)
    if not (np.array_equal(offsets, predicted.offsets) and np.array_equal(form_ids, predicted_forms)):
        raise Error(_first_difference(gold, gold_name, predicted, predicted_name, form_ids, predicted_forms))
    heads = np.asarray(gold.heads)
    if len(heads) and heads.min() < 0:
        raise Error(_headless(gold, gold_name, int(np.argmax(heads < 0))))
    label_table = list(gold.deprel_table)
    labels = np.asarray(gold.deprel_ids)
    return Comparison(
        offsets,
        heads,
        np.asarray(predicted.heads),
        labels,
        _translated(predicted.deprel_ids, list(predicted.deprel_table), label_table, extend=True),
        label_table,
        form_ids,
        form_table,
    )


def _treebank(source: Any) -> Any:
    if hasattr(source, "deprel_ids") and hasattr(source, "offsets"):
        return source
    from fastparse.corpus.conllu import read_conllu

    return read_conllu(source)


def _name(source: Any, otherwise: str) -> str:
    return fspath(source) if isinstance(source, str | PathLike) else otherwise


def _translated(ids: Any, table: list[str], into: list[str], extend: bool = False) -> Integers:
    """The ids of one table as ids of another; strings it lacks get -1, or are added to it."""
    ids = np.asarray(ids)
    if table == into:
        return ids
    places = {text: place for place, text in enumerate(into)}
    if extend:
        translation = [places.setdefault(text, len(places)) for text in table]
        into[:] = places
    else:
        translation = [places.get(text, -1) for text in table]
    return np.array(translation, np.int32)[ids]


def _first_difference(
    gold: Any, gold_name: str, predicted: Any, predicted_name: str, forms: Integers, others: Integers
) -> str:
    """Say where two treebanks cease to have the same words."""
    shared = min(len(gold), len(predicted))
    starts, other_starts = np.asarray(gold.offsets), np.asarray(predicted.offsets)
    sentence = shared
    ends_differ = starts[1 : shared + 1] != other_starts[1 : shared + 1]
    if ends_differ.any():
        sentence = int(np.argmax(ends_differ))
    words = min(len(forms), len(others))
    forms_differ = forms[:words] != others[:words]
    if forms_differ.any():
        sentence = min(sentence, int(np.searchsorted(starts, np.argmax(forms_differ), side="right")) - 1)
    advice = "both must have the same words in the same sentences"
    if sentence == shared:
        longer, shorter = (gold_name, predicted_name) if len(gold) > shared else (predicted_name, gold_name)
        extra = (gold if len(gold) > shared else predicted)[shared]
        return (
            f"{longer} has {max(len(gold), len(predicted))} sentences, {shorter} has {shared}: "
            f"the first without a counterpart is {_where(longer, extra)}, {_quoted(extra.forms)}; {advice}"
        )
    left, right = gold[sentence], predicted[sentence]
    word = next((at for at, (a, b) in enumerate(zip(left.forms, right.forms, strict=False)) if a != b), None)
    if word is None:
        word = min(len(left.forms), len(right.forms))
    return (
        f"the files do not match: sentence {sentence + 1}, word {word + 1} is "
        f"{_form(left.forms, word)} in {_where(gold_name, left)}, "
        f"but {_form(right.forms, word)} in {_where(predicted_name, right)}; {advice}"
    )


def _headless(gold: Any, name: str, word: int) -> str:
    number = int(np.searchsorted(gold.offsets, word, side="right")) - 1
    sentence, place = gold[number], word - int(gold.offsets[number])
    return (
        f"{_where(name, sentence)}: gold word {place + 1} ({sentence.forms[place]!r}) has no head, "
        f"so nothing can be compared with it; are the two files in the wrong order?"
    )


def _where(name: str, sentence: Any) -> str:
    sent_id = f" (sent_id {sentence.sent_id})" if sentence.sent_id else ""
    return f"{name}:{sentence.line}{sent_id}" if sentence.line else f"{name}{sent_id}"


def _form(forms: list[str], word: int) -> str:
    return repr(forms[word]) if word < len(forms) else "missing"


def _quoted(forms: list[str]) -> str:
    return repr(" ".join(forms[:6]) + (" …" if len(forms) > 6 else ""))
