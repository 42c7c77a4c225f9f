"""One sentence object at a time: what its words are, and where heads go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from fastparse.corpus.foreign.cells import features_text, head_number
from fastparse.corpus.foreign.docs import Docs
from fastparse.corpus.foreign.gathering import (
    Gatherer,
    set_in_dicts,
    set_in_tokens,
    words_among,
    words_among_dicts,
)
from fastparse.corpus.foreign.lookalikes import check_names, refuse_words
from fastparse.corpus.sentence import Sentence

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["ADAPTERS", "Adapter", "Words"]


@dataclass
class Words:
    """The columns of one sentence; None for a column it does not have."""

    forms: Sequence[str]
    upos: Sequence[str | None] | None = None
    xpos: Sequence[str | None] | None = None
    feats: Sequence[str | None] | None = None
    lemmas: Sequence[str | None] | None = None
    heads: Sequence[int] | None = None
    deprels: Sequence[str | None] | None = None
    sent_id: str | None = None


class Adapter:
    """How to read and annotate one kind of object. Each holds one sentence, where `count` is not overridden."""

    @property
    def gives_sentences(self) -> bool:
        """Whether a new Sentence comes back for each object, and not the object itself with heads."""
        kind = type(self)
        return kind.annotate is Adapter.annotate and kind.annotate_all is Adapter.annotate_all

    def matches(self, item: Any) -> bool:
        raise NotImplementedError

    def check(self, item: Any) -> None:
        """Raise Error for an object that is meant to be one of these, and is not quite."""

    def words(self, item: Any) -> Iterator[Words]:
        """The sentences of an object, if they are not gathered word by word."""
        raise NotImplementedError

    def gather(self, item: Any, into: Gatherer) -> None:
        """Add the sentence of an object."""
        for words in self.words(item):
            into.add(words)

    def annotate(self, item: Any, sentence: Sentence) -> Any:
        """The object with the heads of its sentence; the Sentence if it has no place for them."""
        return sentence

    # Objects of the kind that follow one another

    def gather_all(self, items: list[Any], into: Gatherer) -> None:
        for item in items:
            self.gather(item, into)

    def count(self, items: list[Any]) -> int:
        """How many sentences they hold."""
        return len(items)

    def annotate_all(self, items: list[Any], treebank: Treebank, first: int) -> list[Any]:
        """The objects with the heads of their sentences, which are those of a treebank from `first` on."""
        return [self.annotate(item, treebank[k]) for k, item in enumerate(items, first)]


class SpacyDocs(Adapter):
    """spaCy Docs and Spans, which may hold several sentences."""

    def matches(self, item: Any) -> bool:
        doc = item.doc if hasattr(item, "as_doc") else item
        return hasattr(doc, "vocab") and hasattr(doc, "from_array") and hasattr(doc, "has_annotation")

    def gather_all(self, items: list[Any], into: Gatherer) -> None:
        Docs(items).gather(into)

    def count(self, items: list[Any]) -> int:
        return len(Docs(items).sizes)

    def annotate_all(self, items: list[Any], treebank: Treebank, first: int) -> list[Any]:
        Docs(items).set_heads(treebank, first)
        return items


class Sentences(Adapter):
    """fastparse's own: a new Sentence each."""

    def matches(self, item: Any) -> bool:
        return isinstance(item, Sentence)

    def words(self, item: Any) -> Iterator[Words]:
        yield Words(item.forms, item.upos, item.xpos, item.feats, item.lemmas, item.heads, item.deprels, item.sent_id)


class Tokens(Adapter):
    """Sequences of token objects: pyconll 3 (iterable sentences) and 4 (`.tokens`), and all that look like them."""

    def matches(self, item: Any) -> bool:
        tokens = getattr(item, "tokens", item)
        if isinstance(tokens, (str, bytes, Mapping)) or not isinstance(tokens, Iterable):
            return False
        return all(hasattr(token, "form") and hasattr(token, "upos") for token in islice(tokens, 1))

    def gather(self, item: Any, into: Gatherer) -> None:
        into.add_tokens(words_among(getattr(item, "tokens", item)), _sent_id(item))

    def annotate(self, item: Any, sentence: Sentence) -> Any:
        set_in_tokens(words_among(getattr(item, "tokens", item)), sentence.heads, sentence.deprels)
        return item


def _sent_id(item: Any) -> str | None:
    """pyconll 3 has `.id`, pyconll 4 `.meta`, conllu `.metadata`."""
    for mapping in (getattr(item, "meta", None), getattr(item, "metadata", None)):
        if isinstance(mapping, Mapping) and mapping.get("sent_id"):
            return str(mapping["sent_id"])
    found = getattr(item, "id", None)
    return found if isinstance(found, str) else None


class TokenDicts(Adapter):
    """Lists of token dicts: conllu TokenLists. Ids that are no integers are ranges and empty nodes."""

    def matches(self, item: Any) -> bool:
        return isinstance(item, list) and bool(item) and isinstance(item[0], MutableMapping) and "form" in item[0]

    def gather(self, item: Any, into: Gatherer) -> None:
        into.add_dicts(words_among_dicts(item), _sent_id(item))

    def annotate(self, item: Any, sentence: Sentence) -> Any:
        set_in_dicts(words_among_dicts(item), sentence.heads, sentence.deprels)
        return item


class SingleTokenList(TokenDicts):
    """A list of token dicts where a list of sentences, which may be dicts of lists, is expected."""

    def matches(self, item: Any) -> bool:
        return super().matches(item) and isinstance(item[0]["form"], str)


class SingleTokens(Tokens):
    """A sentence of token objects where sentences are expected."""

    def matches(self, item: Any) -> bool:
        tokens = getattr(item, "tokens", item)
        if isinstance(tokens, (Iterator, Mapping)) or not isinstance(tokens, Collection) or not len(tokens):
            return False
        first = next(iter(tokens))
        return hasattr(first, "form") and hasattr(first, "upos")


_KEYS = {
    "forms": ("form", "forms", "tokens", "words"), "upos": ("upos", "pos"), "xpos": ("xpos",), "feats": ("feats",),
    "lemmas": ("lemma", "lemmas"), "heads": ("head", "heads"), "deprels": ("deprel", "deprels"),
}  # fmt: skip


def words_in(row: Mapping[str, Any]) -> Words:
    """The sentence in a dict of lists, under the names datasets use."""
    found = {name: next((row[key] for key in keys if row.get(key) is not None), None) for name, keys in _KEYS.items()}
    if found["feats"] is not None:
        found["feats"] = [features_text(features) for features in found["feats"]]
    if found["heads"] is not None:
        found["heads"] = [head_number(head) for head in found["heads"]]
    sent_id = row.get("sent_id", row.get("idx"))
    return Words(**found, sent_id=None if sent_id is None else str(sent_id))  # type: ignore[arg-type]


class ListDicts(Adapter):
    """Dicts of lists, a dict per sentence."""

    def matches(self, item: Any) -> bool:
        return isinstance(item, Mapping) and any(key in item for key in _KEYS["forms"])

    def check(self, item: Any) -> None:
        check_names(item, _KEYS, "a dict")

    def words(self, item: Any) -> Iterator[Words]:
        self.check(item)
        yield words_in(item)

    def annotate(self, item: Any, sentence: Sentence) -> Any:
        heads: list[Any] = sentence.heads
        old = item.get("head")
        if old is not None and len(old) and isinstance(old[0], str):
            heads = [str(head) if head >= 0 else "_" for head in heads]
        item["head"] = heads
        item["deprel"] = sentence.deprels
        return item


FORM_NAMES = _KEYS["forms"]
SENTENCE_NAMES = _KEYS
_COLUMNS = 5  # of pairs: forms, upos, xpos, feats, lemmas


class Pairs(Adapter):
    """(forms, upos), (forms, upos, xpos) and so on to feats and lemmas, as a tuple, or a list of lists."""

    def matches(self, item: Any) -> bool:
        return (
            isinstance(item, (tuple, list))
            and 1 < len(item) <= _COLUMNS
            and all(_is_column(part) for part in item)
            and (isinstance(item, tuple) or all(isinstance(part, list) for part in item))
        )

    def words(self, item: Any) -> Iterator[Words]:
        refuse_words(item)
        yield from self.columns(item)

    @staticmethod
    def columns(item: Any) -> Iterator[Words]:
        """What forms, tags and so on say."""
        columns: list[Any] = [*item, *[None] * (_COLUMNS - len(item))]
        forms, upos, xpos, feats, lemmas = columns
        yield Words(forms, upos, xpos, None if feats is None else [features_text(f) for f in feats], lemmas)


def _is_column(value: Any) -> bool:
    return value is None or (not isinstance(value, (str, bytes, Mapping)) and hasattr(value, "__len__"))


class TaggedWords(Adapter):
    """Lists of forms, or of (form, upos) and so on to xpos, feats and lemma."""

    def matches(self, item: Any) -> bool:
        if isinstance(item, str) or not isinstance(item, Sequence):
            return False
        return all(isinstance(word, str) for word in item) or all(
            isinstance(word, tuple) and 1 <= len(word) <= _COLUMNS and isinstance(word[0], str) for word in item
        )

    def words(self, item: Any) -> Iterator[Words]:
        if len(item) and isinstance(item[0], str):
            yield Words(item)
        else:
            columns: Any = ([word[k] if k < len(word) else None for word in item] for k in range(_COLUMNS))
            yield from Pairs.columns(tuple(columns))


_DOCS, _SENTENCES, _TOKEN_DICTS, _LIST_DICTS, _TOKENS = SpacyDocs(), Sentences(), TokenDicts(), ListDicts(), Tokens()
# In the order they are asked.
ADAPTERS: list[Adapter] = [_DOCS, _SENTENCES, _TOKEN_DICTS, _LIST_DICTS, Pairs(), TaggedWords(), _TOKENS]
# Of what is a sentence even where a list of sentences is expected.
ALONE: list[Adapter] = [_DOCS, _SENTENCES, SingleTokenList(), _LIST_DICTS, SingleTokens()]
