"""spaCy Docs and Spans: columns of their tokens, and heads and labels put into them.

In a Doc heads are offsets between tokens, the root is its own head, and its label is ROOT. White space between words
has tokens of its own: no model reads these, and each becomes a dependent of the token before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["columns_in", "sentences_in", "set_heads", "set_tags"]

_READ = ("ORTH", "POS", "TAG", "MORPH", "LEMMA")
_SPACE_LABEL = "dep"


def sentences_in(item: Any) -> list[list[int]]:
    """The words, as places in the Doc, of each sentence that has some; of a Doc without bounds, all are one."""
    doc, start, end = _part(item)
    if start == end:
        return []
    bounds = [(start, end)]
    if doc.has_annotation("SENT_START"):
        marks = doc.to_array("SENT_START")[start:end]
        starts = [start, *(start + i for i in np.flatnonzero(marks == 1).tolist() if i)]
        bounds = list(zip(starts, [*starts[1:], end], strict=True))
    spaces = doc.to_array("IS_SPACE")
    if not spaces[start:end].any():
        return [list(range(first, last)) for first, last in bounds]
    words = ([i for i in range(first, last) if not spaces[i]] for first, last in bounds)
    return [sentence for sentence in words if sentence]


def columns_in(item: Any) -> Iterator[tuple[Any, ...]]:
    """Forms, UPOS, XPOS, FEATS, lemmas, heads and labels of each sentence; None for heads and labels there are not."""
    doc, start, end = _part(item)
    if start == end:
        return
    columns = [_strings(doc, ids) for ids in doc.to_array(list(_READ)).T]
    columns[3] = [_in_order(features) for features in columns[3]]
    parsed = doc.has_annotation("DEP")
    for words in sentences_in(item):
        forms = [columns[0][i] for i in words]
        found: list[Any] = [[column[i] or None for i in words] for column in columns[1:]]
        heads = labels = None
        if parsed:
            number = {word: k for k, word in enumerate(words, 1)}
            heads = [0 if doc[i].head.i == i else number.get(doc[i].head.i, -1) for i in words]
            labels = ["root" if doc[i].dep_ == "ROOT" else doc[i].dep_ or None for i in words]
        yield (forms, *found, heads, labels)


def set_heads(item: Any, sentences: Sequence[Any]) -> None:
    """Put the trees of its sentences into a Doc, or into the Doc of a Span."""
    doc, start, end = _part(item)
    add = doc.vocab.strings.add
    whole = end - start == len(doc)
    heads, labels = [0] * len(doc), [0] * len(doc)
    if not whole:  # what the other tokens have stays
        heads, labels = doc.to_array("HEAD").astype(np.int64).tolist(), doc.to_array("DEP").tolist()
    for words, sentence in zip(sentences_in(item), sentences, strict=True):
        for word, head, label in zip(words, sentence.heads, sentence.deprels, strict=True):
            heads[word] = words[head - 1] - word if head > 0 else 0
            labels[word] = add("ROOT" if head == 0 and label in ("root", "_") else label)
    for i in (np.flatnonzero(doc.to_array("IS_SPACE")[start:end]) + start).tolist():
        heads[i] = -1 if i > start else int(len(doc) > i + 1 and i + 1 < end)
        labels[i] = add(_SPACE_LABEL)
    if len(doc):
        # Heads are signed offsets in an array of unsigned numbers, as spaCy's own serialisation has them.
        columns = np.empty((len(doc), 2), np.uint64)
        columns[:, 0] = np.array(heads, np.int64).astype(np.uint64)
        columns[:, 1] = labels
        doc.from_array(["HEAD", "DEP"], columns)


def set_tags(doc: Any, sentences: Sequence[Any], overwrite: bool = False) -> None:
    """Put tags, features and lemmas of sentences into a Doc: those that it has not, or all of them."""
    for words, sentence in zip(sentences_in(doc), sentences, strict=True):
        columns = zip(words, sentence.upos, sentence.xpos, sentence.feats, sentence.lemmas, strict=True)
        for i, upos, xpos, feats, lemma in columns:
            token = doc[i]
            if upos != "_" and (overwrite or not token.pos):
                token.pos_ = upos
            if xpos != "_" and (overwrite or not token.tag):
                token.tag_ = xpos
            if feats != "_" and (overwrite or not token.morph):
                token.set_morph(feats)
            if lemma != "_" and (overwrite or not token.lemma):
                token.lemma_ = lemma


def _part(item: Any) -> tuple[Any, int, int]:
    """The Doc, and where in it the item begins and ends."""
    return (item.doc, item.start, item.end) if hasattr(item, "as_doc") else (item, 0, len(item))


@lru_cache(maxsize=4096)
def _in_order(features: str) -> str:
    """Features in the order of CoNLL-U, which takes capitals for small letters; spaCy's has capitals first."""
    return "|".join(sorted(features.split("|"), key=str.lower))


def _strings(doc: Any, ids: Any) -> list[str]:
    """The strings of ids; cells hold no tabs and line ends."""
    strings = doc.vocab.strings
    found = [strings[i] if i else "" for i in ids.tolist()]
    together = "".join(found)
    if any(mark in together for mark in "\t\n\r"):
        return [" ".join(string.split()) for string in found]
    return found
