"""Two tokenizations of one text: the tokens and sentences they share, and which of their words are the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastparse.corpus.layout import Multiword, multiword_tokens, string_ids
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.evaluation.alignment import align, common_spans, lay_out
from fastparse.evaluation.comparison import Integers, Mask

SHOWN = 20  # characters of each text in a message, before and after the first difference
SPACES = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")  # Unicode's category Zs, as in spans.pyx


@dataclass(frozen=True)
class Tokenization:
    """How a treebank divides its text.

    Attributes:
        treebank: whose words these are.
        text: all tokens one after the other, spaces left out: bytes of UTF-8 as uint8.
        starts: where each token begins, and the end of the text.
        tokens: the token of each word.
        multiword: whether a token is a multiword token.
    """

    treebank: Treebank
    text: Integers
    starts: Integers
    tokens: Integers
    multiword: Mask

    @property
    def n_tokens(self) -> int:
        return len(self.multiword)

    @property
    def sentence_starts(self) -> Integers:
        """Where each sentence begins, and the end of the text."""
        return np.asarray(self.starts[np.append(self.tokens, self.n_tokens)[self.treebank.offsets]])


@dataclass(frozen=True)
class Alignment:
    """What two treebanks have in common.

    Attributes:
        gold_tokens, predicted_tokens: how many tokens each has.
        tokens: tokens that both have.
        gold_words, words: the words that are the same, pair by pair: places on the gold side and on the other, rising.
        gold_sentences, sentences: the sentences that span the same text, pair by pair.
    """

    gold_tokens: int
    predicted_tokens: int
    tokens: int
    gold_words: Integers
    words: Integers
    gold_sentences: Integers
    sentences: Integers


def aligned(gold: Treebank, predicted: Treebank, same_words: bool) -> Alignment:
    """Find what two treebanks have in common.

    Args:
        gold: the right words.
        predicted: other words for the same text.
        same_words: whether both have the same words in the same sentences; then these are paired one by one where the
            multiword tokens are the same too, or spell out different texts.
    Raises:
        Error: if words differ and the texts differ, or if a form is empty.
    """
    ranges = multiword_tokens(gold), multiword_tokens(predicted)
    if same_words and _same_ranges(*ranges):
        n_tokens = gold.n_words - int((ranges[0].stop - ranges[0].first - 1).sum())
        return _one_by_one(gold, n_tokens, n_tokens, n_tokens)
    one, other = (_tokenization(treebank, of) for treebank, of in zip((gold, predicted), ranges, strict=True))
    if not np.array_equal(one.text, other.text):
        if not same_words:
            raise Error(_difference(one, other))
        # No spans can be compared: a token is right if it covers the right words.
        common = common_spans(_first_words(one), _first_words(other))[0]
        return _one_by_one(gold, one.n_tokens, other.n_tokens, len(common))
    for tokenization in (one, other):
        _require_forms(tokenization)
    keys, other_keys = _keys(one, other)
    found = align(
        one.starts, one.multiword, one.tokens, keys, other.starts, other.multiword, other.tokens, other_keys
    )  # fmt: skip
    words = np.flatnonzero(found >= 0)
    return Alignment(
        one.n_tokens,
        other.n_tokens,
        len(common_spans(one.starts, other.starts)[0]),
        found[words],
        words,
        *_common_sentences(one, other),
    )


def _same_ranges(gold: Multiword, predicted: Multiword) -> bool:
    return (
        np.array_equal(gold.first, predicted.first)
        and np.array_equal(gold.stop, predicted.stop)
        and gold.forms == predicted.forms
    )


def _one_by_one(gold: Treebank, gold_tokens: int, predicted_tokens: int, tokens: int) -> Alignment:
    words, sentences = np.arange(gold.n_words), np.flatnonzero(np.diff(gold.offsets))
    return Alignment(gold_tokens, predicted_tokens, tokens, words, words, sentences, sentences)


def _tokenization(treebank: Treebank, ranges: Multiword) -> Tokenization:
    table, form_ids = string_ids(treebank, "form")
    return Tokenization(treebank, *lay_out(table, form_ids, ranges.source, ranges.first, ranges.stop, ranges.cells))


def _first_words(tokenization: Tokenization) -> Integers:
    """The first word of each token, and the number of words."""
    return np.searchsorted(tokenization.tokens, np.arange(tokenization.n_tokens + 1))


def _common_sentences(gold: Tokenization, predicted: Tokenization) -> tuple[Integers, Integers]:
    """Sentences with the same span; those without words have none."""
    kept = [np.flatnonzero(np.diff(side.treebank.offsets)) for side in (gold, predicted)]
    starts = [
        np.append(side.sentence_starts[sentences], side.starts[-1])
        for side, sentences in zip((gold, predicted), kept, strict=True)
    ]
    of_gold, of_predicted = common_spans(*starts)
    return kept[0][of_gold], kept[1][of_predicted]


def _keys(*sides: Tokenization) -> list[Any]:
    """For each side an integer per word, equal for forms that differ in case at most.

    Tokens lose their spaces, as in the text; words of multiword tokens are taken as they are.
    """
    if not any(side.multiword.any() for side in sides):
        return [np.zeros(len(side.tokens), np.int32) for side in sides]
    places: dict[str, int] = {}
    keys = []
    for side in sides:
        forms, form_ids = side.treebank.table("form"), side.treebank.ids("form")
        whole = np.array([places.setdefault(form.lower(), len(places)) for form in forms], np.int32)
        visible = np.array([places.setdefault(SPACES.sub("", form).lower(), len(places)) for form in forms], np.int32)
        keys.append(np.where(side.multiword[side.tokens], whole[form_ids], visible[form_ids]))
    return keys


def _require_forms(side: Tokenization) -> None:
    """Raise Error if a token takes no place in the text."""
    empty = np.diff(side.starts) == 0
    if empty.any():
        token = int(np.argmax(empty))
        raise Error(
            f"{_where(side, token)}: the form holds nothing but spaces, so that it has no place in the text. "
            f"Correct it: tokens are found in the text by their characters."
        )


def _difference(gold: Tokenization, predicted: Tokenization) -> str:
    """Say where two texts cease to be the same."""
    shared = min(len(gold.text), len(predicted.text))
    unequal = gold.text[:shared] != predicted.text[:shared]
    at = int(np.argmax(unequal)) if unequal.any() else shared
    longer = gold.text if len(gold.text) > at else predicted.text
    while longer[at] & 0xC0 == 0x80:  # within a character
        at -= 1
    before = gold.text[max(0, at - 4 * SHOWN) : at].tobytes().decode("utf-8", "ignore")[-SHOWN:]
    place = repr("…" + before) if before else "the beginning"
    return (
        f"the texts differ, spaces aside: after {place}, {_rest(gold, at)}, but {_rest(predicted, at)}. Both must hold "
        f"the same characters; only where tokens, words and sentences end may differ."
    )


def _rest(side: Tokenization, at: int) -> str:
    """Where in a file a place of the text is, and what stands there."""
    if at == len(side.text):
        if not side.n_tokens:
            return "one treebank is empty"
        return f"the text ends at {_where(side, side.n_tokens - 1)}"
    token = int(np.searchsorted(side.starts, at, side="right")) - 1
    after = side.text[at : at + 4 * SHOWN].tobytes().decode("utf-8", "ignore")[:SHOWN]
    return f"{after!r} follows at {_where(side, token)}"


def _where(side: Tokenization, token: int) -> str:
    word = int(np.searchsorted(side.tokens, token))
    number = int(np.searchsorted(side.treebank.offsets, word, side="right")) - 1
    sentence = side.treebank[number]
    place = word - int(side.treebank.offsets[number])
    return f"{sentence.where()}, sentence {number + 1}, word {place + 1}, {sentence.forms[place]!r}"
