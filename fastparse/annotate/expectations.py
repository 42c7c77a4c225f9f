"""What a model expects of sentences, and how they fall short: never silently wrong."""

from __future__ import annotations

import math
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.strings.index import Index
from fastparse.corpus.strings.interning import StringTable
from fastparse.errors import Error, FastparseWarning
from fastparse.model.seen import Seen

if TYPE_CHECKING:
    from fastparse.corpus.sheet import Sheet
    from fastparse.corpus.treebank import Treebank

__all__ = ["Expectations", "Shortfall", "Vocabulary", "Watch"]

_DENSE = 0.9  # a column that more words had than this is expected in each sentence
_ENOUGH_WORDS = 3  # with something in a column, as training would have it, before its absence is noticed
_UNKNOWN = 0.05  # of the words with tags
_EXAMPLES = 5
_KNOWN_SHOWN = 20
_MOST_FAMILIAR = 1 << 14
_LOOKED_UP = 2000  # words at the beginning of a batch, whose forms are looked up
_MANY_UNKNOWN = 0.3  # of all tokens, before they are looked at one by one
_FEW_KNOWN = 0.55  # of the words that training would have led one to expect
_SURELY = 4.5  # standard deviations below these
_ENOUGH_FORMS = 5


@dataclass
class Shortfall:
    """How some sentences fall short of what a model expects; sums do not depend on the order.

    Attributes:
        sentences, words: looked at.
        filled: words that have something in a column.
        bare: sentences, of those with words, that have nothing in a column.
        bare_words: words of these.
        unknown: words by what they have in a column that training has never seen.
        foreign: words of passages in which most are unknown to the model.
        foreign_unknown: those that are.
    """

    sentences: int = 0
    words: int = 0
    filled: dict[str, int] = field(default_factory=dict)
    bare: dict[str, int] = field(default_factory=dict)
    bare_words: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, Counter[str]] = field(default_factory=dict)
    foreign: int = 0
    foreign_unknown: int = 0

    def add(self, other: Shortfall) -> None:
        self.sentences += other.sentences
        self.words += other.words
        self.foreign += other.foreign
        self.foreign_unknown += other.foreign_unknown
        for mine, others in (
            (self.filled, other.filled), (self.bare, other.bare), (self.bare_words, other.bare_words)
        ):  # fmt: skip
            for column, n in others.items():
                mine[column] = mine.get(column, 0) + n
        for column, values in other.unknown.items():
            self.unknown.setdefault(column, Counter()).update(values)


class Vocabulary:
    """The forms that a model knows, which tell whether a text is of its language.

    Args:
        forms: of words, and of marks and numbers.
        usual: the share of the words of a text of its language that are among them.
        about: what the model has learnt, for messages.
    """

    def __init__(self, forms: Iterable[str], usual: float, about: str = "") -> None:
        self._forms: Iterable[str] = forms
        self._usual, self.about = usual, about
        # The forms as they are written and as they begin sentences, and their hashes; made when they are needed.
        self._written: set[str] = set()
        self._index: Index | None = None
        self._letters: frozenset[str] | None = None

    def foreign(self, treebank: Treebank) -> tuple[int, int]:
        """If most words at the beginning of some sentences are unknown: how many words these are, and how many unknown.

        Otherwise twice 0. Words without letters do not count. Of a script that the model has never seen each letter
        does, since only those who know it can tell its words apart.
        """
        sheet = treebank._sheet()
        n_words = min(sheet.n_words, _LOOKED_UP)
        index = self._index
        if index is None:
            self._forms = frozenset(self._forms)
            self._written = {"", *self._forms, *map(str.capitalize, self._forms)}
            index = self._index = Index(StringTable.of(self._written).hashes)
        if sheet.count_unknown(index, n_words) <= _MANY_UNKNOWN * n_words:
            return 0, 0
        if self._letters is None:
            self._letters = frozenset(letter for form in self._forms for letter in form.lower() if letter.isalpha())
        words = unknown = 0
        for written, n in Counter(sheet.strings("form", 0, n_words)).items():
            form = written.lower()
            letters = [letter for letter in form if letter.isalpha()]
            if letters:
                new = written not in self._written and form not in self._forms
                n *= len(letters) if new and self._letters.isdisjoint(letters) else 1
                words += n
                unknown += n if new else 0
        return (0, 0) if words < _ENOUGH_FORMS or self._are_usual(words, unknown) else (words, unknown)

    def _are_usual(self, words: int, unknown: int) -> bool:
        """Whether so many words may be unknown in a text of the model's language."""
        expected, known = words * self._usual, words - unknown
        return known >= _FEW_KNOWN * expected or known >= expected - _SURELY * math.sqrt(expected * (1 - self._usual))


class Expectations:
    """What a parser has seen of the columns that it reads.

    Any number of threads may use one: nothing changes but a memory of cells that hold nothing unknown, which saves
    taking them apart again.
    """

    def __init__(self, seen: Mapping[str, Seen], vocabulary: Vocabulary | None = None) -> None:
        self.seen, self._vocabulary = dict(seen), vocabulary
        self._never = tuple(column for column, one in self.seen.items() if not one.share)
        self._familiar: dict[str, set[str]] = {column: set() for column in self.seen}  # cells without anything unknown
        self._sound: dict[str, StringTable] = {}  # the table of a tagger in which there is no other cell, by column

    def to_dict(self) -> dict[str, Any]:
        """What is expected of each column, for JSON."""
        return {
            column: {"share": seen.share, "values": None if seen.values is None else sorted(seen.values)}
            for column, seen in self.seen.items()
        }

    def visible(self, treebank: Treebank) -> Treebank:
        """The sentences without what is in columns that training has seen empty: it says nothing to the model."""
        if not self._never or all(map(treebank._sheet().blank, self._never)):
            return treebank
        cells = zip(self._never, treebank.cells_of(self._never), strict=True)
        blank = [column for column, (_, table) in cells if table.filled.any()]
        if not blank:
            return treebank
        nothing = np.zeros(treebank.n_words, np.int32)
        return treebank.with_columns(**{column: (nothing, ["_"]) for column in blank})

    def shortfall(self, treebank: Treebank) -> Shortfall:
        """How sentences fall short, after all that the model itself can fill in."""
        sheet = treebank._sheet()
        found = Shortfall(sheet.n_sentences, sheet.n_words)
        if found.words and self._vocabulary is not None:
            found.foreign, found.foreign_unknown = self._vocabulary.foreign(treebank)
        for column, seen in self.seen.items():
            if found.words and not self._look_at_table(column, seen, sheet, found):
                ids, table = treebank.cells(column)
                self._look(column, seen, ids, table, treebank._offsets, found)
        return found

    def _look_at_table(self, column: str, seen: Seen, sheet: Sheet, found: Shortfall) -> bool:
        """Count the words with something in a column; whether that is all there is to say of it."""
        table = sheet.table_of(column)
        if self._sound.get(column) is not table:
            if not table.lasting or (seen.values is not None and self._strange(column, seen, table.strings)):
                return False
            self._sound[column] = table
        filled = sheet.count_filled(column)
        if seen.share >= _DENSE and filled < found.words:
            return False
        if filled:
            found.filled[column] = found.filled.get(column, 0) + filled
        return True

    def _look(
        self, column: str, seen: Seen, ids: np.ndarray[Any, Any], table: StringTable,
        offsets: np.ndarray[Any, Any], found: Shortfall,
    ) -> None:  # fmt: skip
        empty = ~table.filled
        strange = self._strange(column, seen, table.strings) if seen.values is not None and seen.share else []
        if not strange and seen.share and not empty.any():
            found.filled[column] = found.filled.get(column, 0) + found.words
            return
        counts = np.bincount(ids, minlength=len(table))
        filled = found.words - int(counts[empty].sum())
        if filled:
            found.filled[column] = found.filled.get(column, 0) + filled
        if filled < found.words and seen.share >= _DENSE:
            lacking = empty[ids]
            before = np.concatenate(([0], np.cumsum(lacking)))
            sizes = np.diff(offsets)
            bare = (before[offsets[1:]] - before[offsets[:-1]] == sizes) & (sizes > 0)
            if bare.any():
                found.bare[column] = int(bare.sum())
                found.bare_words[column] = int(sizes[bare].sum())
        values: Counter[str] = Counter()
        for i in strange:
            values[table.strings[i]] += int(counts[i])
        if values := +values:
            found.unknown[column] = values

    def _strange(self, column: str, seen: Seen, strings: list[str]) -> list[int]:
        """The cells of a column in which training has not seen all that they hold."""
        familiar = self._familiar[column]
        strange = []
        for i, string in enumerate(strings):
            if string not in familiar:
                if not seen.knows(column, string):
                    strange.append(i)
                elif len(familiar) < _MOST_FAMILIAR:
                    familiar.add(string)
        return strange

    def messages(self, found: Shortfall) -> dict[tuple[str, ...], str]:
        """What there is to say of a shortfall, by its kind and columns."""
        said: dict[tuple[str, ...], str] = {}
        if found.foreign:
            assert self._vocabulary is not None
            learnt = f" ({self._vocabulary.about})" if self._vocabulary.about else ""
            said["foreign",] = (
                f"{_of(found.foreign_unknown, found.foreign, 'word')} {_are(found.foreign_unknown)} unknown to the "
                f"model{learnt}: expect bad trees if the text is of another language. Use a model of its language "
                f"(`fastparse models` lists them)."
            )
        for columns in self._bare_together(found):
            said[("lacking", *columns)] = _lacking(columns, found)
        for column, seen in self.seen.items():
            name = column.upper()
            n = found.filled.get(column, 0)
            if not seen.share:
                if n:
                    said["unseen", column] = (
                        f"{_of(n, found.words, 'word')} {_have(n)} {name}, which was empty in all the model has learnt "
                        f"from, so that it is not read. Use a model that was trained with {name}."
                    )
                continue
            if seen.share < _DENSE and not n and seen.share * found.words >= _ENOUGH_WORDS:
                said["none", column] = (
                    f"none of {found.words:,} words has {name}, which the model reads and cannot fill in (in training "
                    f"{seen.share:.0%} of the words had some): expect worse trees. Tag them first, or use a model with "
                    f"a tagger."
                )
            strange = found.unknown.get(column)
            if strange is None:
                continue
            unknown = strange.total()
            if unknown and (unknown == n or unknown > max(1, _UNKNOWN * n)):
                said["unknown", column] = (
                    f"{_of(unknown, n, 'word')} {_have(unknown)} {name} that the model has never seen "
                    f"({_examples(strange)}); it knows {_known(seen)}. Convert the tags to those, or use a model that "
                    f"was trained with yours."
                )
        return said

    def _bare_together(self, found: Shortfall) -> list[list[str]]:
        """The columns that each sentence should have something in and some have not, those of equally many together."""
        together: dict[tuple[int, int], list[str]] = {}
        for column, seen in self.seen.items():
            if seen.share >= _DENSE and column in found.bare:
                together.setdefault((found.bare[column], found.bare_words[column]), []).append(column)
        return list(together.values())


class Watch:
    """What one call says of its input: counts all of it, warns once of each thing, or raises an error.

    Threads may share one.

    Args:
        strict: an error, instead of a warning, at the first part of the input that falls short.
    """

    def __init__(self, strict: bool = False) -> None:
        self._strict = strict
        self._expectations: Expectations | None = None
        self._found = Shortfall()
        self._said: set[tuple[str, ...]] = set()
        self._lock = threading.Lock()

    def look(self, expectations: Expectations, treebank: Treebank) -> None:
        """Count how these sentences fall short of what the model expects, the same one in every call.

        Raises:
            Error: if they do, and it is strict.
        """
        found = expectations.shortfall(treebank)
        if self._strict and (messages := expectations.messages(found)):
            raise Error(
                f"{treebank[0].where()} and what follows: {' '.join(messages.values())} (An error as strict asks.)"
            )
        with self._lock:
            self._expectations = expectations
            self._found.add(found)

    def messages(self) -> list[str]:
        """What there is to say of all that was looked at, and has not been said before."""
        with self._lock:
            if self._expectations is None:
                return []
            said = self._expectations.messages(self._found)
            new = [text for key, text in said.items() if key not in self._said]
            self._said |= said.keys()
        return new

    def warn(self) -> None:
        """Say so, as warnings of the line outside fastparse that asked for it."""
        for text in self.messages():
            warn(text)


def warn(text: str) -> None:
    """A FastparseWarning of the innermost line that is not fastparse's own."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "fastparse":
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, FastparseWarning, stacklevel=depth)


def _lacking(columns: list[str], found: Shortfall) -> str:
    n, words = found.bare[columns[0]], found.bare_words[columns[0]]
    names = " and ".join(", ".join(column.upper() for column in columns).rsplit(", ", 1))
    which = "a tagger" if set(columns) - {"lemma"} else "a lemmatizer"
    return (
        f"{_of(n, found.sentences, 'sentence')} ({words:,} word{'' if words == 1 else 's'}) {_have(n)} no {names}, "
        f"which the model reads and cannot fill in: expect {'worse' if columns == ['lemma'] else 'bad'} trees. Tag "
        f"them first, or use a model with {which}."
    )


def _of(n: int, total: int, what: str) -> str:
    if n == total:
        return f"the {what}" if n == 1 else f"all {n:,} {what}s"
    return f"{n:,} of {total:,} {what}s"


def _have(n: int) -> str:
    return "has" if n == 1 else "have"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _examples(values: Counter[str]) -> str:
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{value!r:.40} {n:,}" for value, n in ordered[:_EXAMPLES])
    return shown + (f" and {len(ordered) - _EXAMPLES:,} others" if len(ordered) > _EXAMPLES else "")


def _known(seen: Seen) -> str:
    known: list[Any] = sorted(seen.values or ())
    shown = ", ".join(known[:_KNOWN_SHOWN])
    return shown + (f" and {len(known) - _KNOWN_SHOWN:,} more" if len(known) > _KNOWN_SHOWN else "")
