"""What a network reads of words: rows of its embedding tables, by strings that training has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.encoder.lexicon import Lexicon

__all__ = ["GROUPS", "Inputs", "Reader", "affixes", "feature_strings", "shape"]

GROUPS = ("form", "affix", "tag", "feature")
_TAGS = ("tag", "feature")
Own = bool | np.ndarray[Any, Any]  # of all sentences, or of each one
NOTHING, ROOT, UNKNOWN = 0, 1, 2  # rows that every table has; only forms use UNKNOWN
FIRST = 3
_LONGEST_SHAPE = 10


def shape(form: str) -> str:
    """Capitals, letters, digits and other characters, each at most twice in a row."""
    out = ""
    for character in form:
        kind = "X" if character.isupper() else "x" if character.isalpha() else "0" if character.isdigit() else character
        if not out.endswith(2 * kind):
            out += kind
    return out[:_LONGEST_SHAPE]


def affixes(form: str, longest: int = 4, most_grams: int = 0) -> list[str]:
    """Beginnings and ends of the lower-cased form, marked as such, its shape, and what it is made of in threes."""
    low = form.lower()
    sizes = range(1, min(longest, len(low)) + 1)
    found = [*(f"{low[:size]}-" for size in sizes), *(f"-{low[-size:]}" for size in sizes), f"={shape(form)}"]
    return found + [f"~{low[i : i + 3]}" for i in range(min(most_grams, len(low) - 2))]


def feature_strings(feats: str) -> list[str]:
    """Case=Nom and the like of a FEATS column."""
    return [] if feats == "_" else feats.split("|")


@dataclass(frozen=True)
class Inputs:
    """The strings that have a row of their own, in the order of the rows from `FIRST` on, by group.

    Attributes:
        most_features: room for the features of a word.
        longest_affix: characters.
        most_grams: sequences of three characters that are read of a word, from its beginning.
        own: tags and features that a tagger has said have rows of their own, after those of the ones that are given:
            they are wrong at times, and say less.
        lexicon: what is known of words from outside, if anything is; its codes are read as affixes are.
    """

    form: tuple[str, ...]
    affix: tuple[str, ...]
    tag: tuple[str, ...]
    feature: tuple[str, ...]
    most_features: int
    longest_affix: int = 4
    most_grams: int = 0
    own: bool = False
    lexicon: Lexicon | None = None

    @classmethod
    def learn(
        cls, treebank: Treebank, least: int = 2, with_tags: bool = True, longest_affix: int = 4, most_grams: int = 0,
        own: bool = False, least_affix: int = 0, lexicon: Lexicon | None = None,
    ) -> Inputs:  # fmt: skip
        """Those that occur at least `least` times; affixes `least_affix` times, if that is not 0."""
        counts: dict[str, Counter[str]] = {group: Counter() for group in GROUPS}
        for form, n in _counted(treebank, "form"):
            counts["form"][form.lower()] += n
            known = [] if lexicon is None else lexicon.strings(form)
            for affix in affixes(form, longest_affix, most_grams) + known:
                counts["affix"][affix] += n
        most = 1
        if with_tags:
            for upos, n in _counted(treebank, "upos"):
                counts["tag"]["u" + upos] += n if upos != "_" else 0
            for xpos, n in _counted(treebank, "xpos"):
                counts["tag"]["x" + xpos] += n if xpos != "_" else 0
            for feats, n in _counted(treebank, "feats"):
                most = max(most, len(feature_strings(feats)))
                for feature in feature_strings(feats):
                    counts["feature"][feature] += n
        times = dict.fromkeys(GROUPS, least) | {"affix": least_affix or least}
        kept = {group: tuple(sorted(s for s, n in counts[group].items() if n >= times[group])) for group in GROUPS}
        return cls(
            kept["form"], kept["affix"], kept["tag"], kept["feature"], most, longest_affix, most_grams, own, lexicon
        )

    @property
    def codes(self) -> int:
        """How many a word has of the lexicon, at most."""
        return 0 if self.lexicon is None else self.lexicon.columns

    def columns(self) -> dict[str, tuple[int, int]]:
        """First and last column (exclusive) of each group in `rows`: a form, affixes, two tags, features."""
        affix = 2 + 2 * self.longest_affix + self.most_grams + self.codes
        tag = affix + 2
        return {"form": (0, 1), "affix": (1, affix), "tag": (affix, tag), "feature": (tag, tag + self.most_features)}

    def sizes(self) -> dict[str, int]:
        """Rows per table."""
        times = {group: 2 if self.own and group in _TAGS else 1 for group in GROUPS}
        return {group: len(getattr(self, group)) * times[group] + FIRST for group in GROUPS}

    def counts(self, rows: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        """How often words read each row of each table. Args: rows: of the words, see `rows`."""
        sizes = self.sizes()
        return [
            np.bincount(rows[:, slice(*bounds)].ravel(), minlength=sizes[group])
            for group, bounds in self.columns().items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """For JSON, without the lexicon, of which it says how many codes words have."""
        numbers = ("most_features", "longest_affix", "most_grams", "own", *(["codes"] if self.codes else []))
        return {group: list(getattr(self, group)) for group in GROUPS} | {name: getattr(self, name) for name in numbers}

    @classmethod
    def from_dict(cls, found: dict[str, Any], lexicon: Lexicon | None = None) -> Inputs:
        """Raises Error if the lexicon is not the one that it had."""
        if found.get("codes", 0) != (0 if lexicon is None else lexicon.columns):
            raise Error("its lexicon is missing, or not described")
        form, affix, tag, feature = (tuple(found[group]) for group in GROUPS)
        numbers = (found["most_features"], found["longest_affix"], found["most_grams"])
        return cls(form, affix, tag, feature, *numbers, found["own"], lexicon)

    def rows(self, treebank: Treebank, own: Own = False) -> np.ndarray[Any, Any]:
        """Ids per word, int32, a row per word and one for the root before each sentence; see `columns`.

        Args:
            own: whether a tagger has said the tags, of all sentences or of each.
        """
        return Reader(self).rows(treebank, own)


class Reader:
    """Turns columns into ids: once per string, not per word. It never changes, so threads may share it."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._where = inputs.columns()
        self._number = {group: {s: i + FIRST for i, s in enumerate(getattr(inputs, group))} for group in GROUPS}

    def rows(self, treebank: Treebank, own: Own = False) -> np.ndarray[Any, Any]:
        """See `Inputs.rows`."""
        where, number = self._where, self._number
        parts = (
            (0, self._table(treebank, "form", self._form)),
            (where["tag"][0], self._table(treebank, "upos", lambda s: [number["tag"].get("u" + s, NOTHING)])),
            (where["tag"][0] + 1, self._table(treebank, "xpos", lambda s: [number["tag"].get("x" + s, NOTHING)])),
            (where["feature"][0], self._table(treebank, "feats", self._features)),
        )
        offsets = np.asarray(treebank.offsets, np.int64)
        n_words, n_sentences = int(offsets[-1]), len(offsets) - 1
        rows = np.zeros((n_words + n_sentences, where["feature"][1]), np.int32)
        words = np.ones(len(rows), bool)
        roots = offsets[:-1] + np.arange(n_sentences)
        words[roots] = False
        for at, found in parts:
            rows[words, at : at + found.shape[1]] = found
        if self.inputs.own:
            said = words & np.repeat(np.broadcast_to(np.asarray(own, bool), n_sentences), np.diff(offsets) + 1)
            for group in _TAGS:
                found = rows[:, slice(*where[group])]
                found[said[:, None] & (found >= FIRST)] += len(getattr(self.inputs, group))
        for group in GROUPS:
            rows[roots, where[group][0]] = ROOT
        return rows

    def _table(self, treebank: Treebank, column: str, described: Callable[[str], list[int]]) -> np.ndarray[Any, Any]:
        """Ids of a column's strings, word by word; only strings that occur are looked at."""
        ids, strings = np.asarray(treebank.ids(column)), treebank.table(column)
        used = np.flatnonzero(np.bincount(ids, minlength=len(strings)))
        rows = np.array([described(strings[i]) for i in used.tolist()], np.int32).reshape(len(used), len(described("")))
        place = np.zeros(len(strings), np.int64)
        place[used] = np.arange(len(used))
        found: np.ndarray[Any, Any] = rows[place[ids]]
        return found

    def _form(self, form: str) -> list[int]:
        inputs, affix = self.inputs, self._number["affix"]
        known = [] if inputs.lexicon is None else inputs.lexicon.strings(form)
        strings = affixes(form, inputs.longest_affix, inputs.most_grams) + known
        found = [affix.get(string, NOTHING) for string in strings]
        room = self._where["affix"][1] - 1
        return [self._number["form"].get(form.lower(), UNKNOWN), *found, *[NOTHING] * (room - len(found))]

    def _features(self, feats: str) -> list[int]:
        most, feature = self.inputs.most_features, self._number["feature"]
        found = [feature.get(string, NOTHING) for string in feature_strings(feats)[:most]]
        return found + [NOTHING] * (most - len(found))


def _counted(treebank: Treebank, column: str) -> Iterable[tuple[str, int]]:
    table = treebank.table(column)
    numbers = np.bincount(np.asarray(treebank.ids(column)), minlength=len(table)).tolist()
    return [(string, n) for string, n in zip(table, numbers, strict=True) if n]
