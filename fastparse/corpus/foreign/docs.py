"""spaCy Docs and Spans: columns of their tokens, and heads, labels, tags and lemmas put into them.

In a Doc heads are offsets between tokens, the root is its own head, and its label is ROOT. White space between words
has tokens of its own: no model reads these, and each becomes a dependent of the token before it.

Strings are keys in a Doc, numbers that its vocabulary spells out, and its tokens come and go as one array. So many Docs
are read and annotated together, and each string is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.corpus.foreign.gathering import Gatherer
    from fastparse.corpus.treebank import Treebank

__all__ = ["Docs"]

_CELLS = ("ORTH", "POS", "TAG", "MORPH", "LEMMA", "DEP")
_READ = [*_CELLS, "HEAD", "SENT_START", "IS_SPACE"]
_DEP, _HEAD, _SENT_START, _IS_SPACE = range(_CELLS.index("DEP"), len(_READ))
_TAGS = slice(_CELLS.index("POS"), _DEP)
_SETTERS: dict[str, Callable[[Any, str], object]] = {
    "upos": lambda token, upos: setattr(token, "pos_", upos), "xpos": lambda token, xpos: setattr(token, "tag_", xpos),
    "feats": lambda token, feats: token.set_morph(feats), "lemma": lambda token, lemma: setattr(token, "lemma_", lemma),
}  # fmt: skip
_WRITTEN = ["HEAD", "DEP"]
_ROOT, _SPACE_LABEL = "ROOT", "dep"


class Docs:
    """The words and sentences of some Docs and Spans, in their order, as they are when it is made.

    A sentence has words: white space alone is none. All words of a Doc without bounds are one sentence.

    Attributes:
        sizes: the number of words of each sentence.
    """

    def __init__(self, items: Sequence[Any]) -> None:
        self._parts = [(doc, start, end) for doc, start, end in map(_part, items) if start < end]
        self._vocabs = list({id(doc.vocab): doc.vocab for doc, _, _ in self._parts}.values())
        found = [doc.to_array(_READ)[start:end] for doc, start, end in self._parts]
        self._tokens = np.concatenate([np.zeros((0, len(_READ)), np.uint64), *found])
        self._begins = np.cumsum([0, *map(len, found)])  # where the tokens of each part begin, and where all end
        starts = self._tokens[:, _SENT_START] == 1
        starts[self._begins[:-1]] = True
        self._sentence = np.cumsum(starts) - 1  # of each token
        self._words = np.flatnonzero(self._tokens[:, _IS_SPACE] == 0)  # which tokens are words
        sizes = np.bincount(self._sentence[self._words])
        self.sizes = sizes[sizes > 0]
        self._earlier = np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)  # words before the sentence of each

    def gather(self, into: Gatherer) -> None:
        """Add the sentences to others."""
        keys = np.ascontiguousarray(self._tokens[self._words, : len(_CELLS)])
        heads = self._heads() if into.annotations else None
        into.add_keys(keys, [self._cell, self._cell, self._cell, self._features, self._cell, self._label], heads,
                      self.sizes.tolist())  # fmt: skip

    def _heads(self) -> list[int | None]:
        """The head of each word; None in Docs that are not parsed, -1 where it is no word of the sentence."""
        number = np.full(len(self._tokens), -1)
        number[self._words] = np.arange(len(self._words)) - self._earlier + 1
        offsets = self._tokens[:, _HEAD].astype(np.int64)
        target = np.arange(len(self._tokens)) + offsets
        at = np.clip(target, 0, len(self._tokens) - 1)  # a head may be outside of a Span
        found = np.where((at == target) & (self._sentence[at] == self._sentence), number[at], -1)
        found[offsets == 0] = 0
        heads: list[int | None] = found[self._words].tolist()
        for (doc, _, _), begin, end in zip(self._parts, self._begins[:-1], self._begins[1:], strict=True):
            if not doc.has_annotation("DEP"):
                first, last = np.searchsorted(self._words, (begin, end))
                heads[first:last] = [None] * (last - first)
        return heads

    # The strings of keys

    def _string(self, key: int) -> str:
        found: str = next(vocab.strings[key] for vocab in self._vocabs if key in vocab.strings)
        return found

    def _key(self, string: str) -> int:
        """The key of a string, which from now on all the vocabularies have."""
        return max((vocab.strings.add(string) for vocab in self._vocabs), default=0)

    def _cell(self, key: int) -> str | None:
        """What a column has; cells hold no tabs and line ends."""
        string = self._string(key) if key else ""
        if "\t" in string or "\n" in string or "\r" in string:
            return " ".join(string.split())
        return string or None

    def _features(self, key: int) -> str | None:
        features = self._cell(key)
        return features and _in_order(features)

    def _label(self, key: int) -> str | None:
        label = self._cell(key)
        return "root" if label == _ROOT else label

    # Annotation: by the sentences of a treebank from `first` on, which are these ones

    def set_heads(self, treebank: Treebank, first: int = 0) -> None:
        """Put heads and labels into the Docs."""
        begin, end = self._place(treebank, first)
        heads, ids = treebank.heads[begin:end].astype(np.int64), treebank.deprel_ids[begin:end]
        table = [*treebank.deprel_table, "_"]  # whose last one is that of id -1
        keys = np.zeros(len(table), np.uint64)
        found = np.unique(ids).tolist()
        keys[found] = [self._key(table[i]) for i in found]
        labels = keys[ids]
        labels[(heads == 0) & np.isin(ids, [i for i in found if table[i] in ("root", "_")])] = self._key(_ROOT)
        words = self._words
        # Heads are signed offsets in an array of unsigned numbers, as spaCy's own serialisation has them.
        values = np.zeros((len(self._tokens), len(_WRITTEN)), np.uint64)
        values[words, 0] = np.where(heads > 0, words[self._earlier + heads - 1] - words, 0).astype(np.uint64)
        values[words, 1] = labels
        if len(words) < len(values):
            spaces = np.flatnonzero(self._tokens[:, _IS_SPACE])
            values[spaces, 0] = self._before(spaces).astype(np.uint64)
            values[spaces, 1] = self._key(_SPACE_LABEL)
        self._put(_WRITTEN, values)

    def _before(self, spaces: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """What each token of white space depends on: the token before it, or the first word where only such are."""
        begins, ends = self._begins[:-1], self._begins[1:]
        first = np.minimum(np.append(self._words, len(self._tokens))[np.searchsorted(self._words, begins)], ends)
        part = np.searchsorted(begins, spaces, side="right") - 1
        offsets = np.where(spaces < first[part], first[part] - spaces, -1)
        wordless = first[part] == ends[part]
        offsets[wordless] = np.where(spaces == begins[part], 0, -1)[wordless]
        return offsets

    def set_tags(self, treebank: Treebank, first: int = 0, overwrite: bool = False) -> None:
        """Put tags, features and lemmas into the Docs: those that a token has not, or all of them."""
        begin, end = self._place(treebank, first)
        values = self._tokens[:, _TAGS].copy()
        nothing = (0, self._key("_"))
        for k, (name, put) in enumerate(_SETTERS.items()):
            ids, table = treebank.ids(name)[begin:end], treebank.table(name)
            keys = np.zeros(len(table), np.uint64)
            for i in np.unique(ids).tolist():
                keys[i] = self._tried(k, put, table[i]) if table[i] != "_" else 0
            mine, old = keys[ids], values[self._words, k]
            values[self._words, k] = np.where((mine != 0) & (overwrite | np.isin(old, nothing)), mine, old)
        self._put(_READ[_TAGS], values)

    def set_extensions(self, names: Iterable[str], values: np.ndarray[Any, Any]) -> None:
        """Put numbers into attributes of words that are extensions: a column for each name."""
        parts = np.searchsorted(self._begins, self._words, side="right") - 1
        for word, part, row in zip(self._words.tolist(), parts.tolist(), values.tolist(), strict=True):
            doc, start, _ = self._parts[part]
            token = doc[start + word - int(self._begins[part])]
            for name, value in zip(names, row, strict=True):
                token._.set(name, value)

    def _tried(self, k: int, put: Callable[[Any, str], object], string: str) -> int:
        """The key of a tag, features or a lemma: what spaCy itself makes of it in a Doc of one word."""
        key = 0
        for vocab in self._vocabs:
            scratch = type(self._parts[0][0])(vocab, words=["_"])
            put(scratch[0], string)
            key = int(scratch.to_array(_READ[_TAGS])[0, k])
        return key

    def _place(self, treebank: Treebank, first: int) -> tuple[int, int]:
        offsets = treebank.offsets[first : first + len(self.sizes) + 1]
        if not np.array_equal(np.diff(offsets), self.sizes):
            raise Error("the Docs have other sentences than the treebank: parse the same batch")
        return int(offsets[0]), int(offsets[-1])

    def _put(self, names: list[str], values: np.ndarray[Any, Any]) -> None:
        begins = self._begins.tolist()
        for (doc, start, end), begin in zip(self._parts, begins, strict=False):
            mine = values[begin : begin + end - start]
            if len(mine) != len(doc):  # what the other tokens have stays
                whole = doc.to_array(names)
                whole[start:end] = mine
                mine = whole
            doc.from_array(names, mine)


def _part(item: Any) -> tuple[Any, int, int]:
    """The Doc, and where in it the item begins and ends."""
    return (item.doc, item.start, item.end) if hasattr(item, "as_doc") else (item, 0, len(item))


@lru_cache(maxsize=4096)
def _in_order(features: str) -> str:
    """Features in the order of CoNLL-U, which takes capitals for small letters; spaCy's has capitals first."""
    return "|".join(sorted(features.split("|"), key=str.lower))
