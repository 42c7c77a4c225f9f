"""The columns of a treebank: arrays of one item per word, which nobody can make disagree."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fastparse.corpus.arrays import frozen, whole_numbers
from fastparse.corpus.columns import checked_labels, labels_by_id
from fastparse.corpus.conllu.reader import read_tail
from fastparse.corpus.conllu.tokenization import Tokenization
from fastparse.corpus.layout import Failures, Layout, layout_of
from fastparse.corpus.sheet import Sheet
from fastparse.corpus.strings.interning import StringTable
from fastparse.corpus.surface import RunningText
from fastparse.errors import Error, UnknownNameError

__all__ = ["COLUMNS", "WordColumns"]

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
_TAIL = {"deps": 8, "misc": 9}  # columns that are looked up in the source when asked for
_UNFOLDING = threading.RLock()
_NO_FAILURES = Failures()


class WordColumns:
    """Arrays and tables of strings, as a `Treebank` has them.

    No array can be made to disagree with the others in length, type or layout: what is not to be written to is
    read-only; heads and labels that are assigned are checked and copied; and every array is given as a view, so that
    nobody changes the shape or type of those that are kept. What is written into heads and labels is checked where it
    is used.

    What compiled code has made stays a `Sheet` until somebody looks: then the arrays come into being.
    """

    __slots__ = ("__weakref__", "_deprel_ids", "_deprel_table", "_failures", "_folded", "_heads", "_ids", "_offsets",
                 "_replaced", "_running", "_sent_ids", "_source", "_tables")  # fmt: skip

    _folded: Any  # a Sheet, or what becomes one; None once there are arrays

    def __init__(
        self,
        heads: np.ndarray[Any, Any],
        offsets: np.ndarray[Any, Any],
        deprel_ids: np.ndarray[Any, Any],
        deprel_table: list[str],
        ids: dict[str, np.ndarray[Any, Any]],
        tables: dict[str, StringTable],
        *,
        source: Layout | Tokenization | None = None,
        failures: Failures | None = None,
        sent_ids: Sequence[str | None] | None = None,
        replaced: frozenset[str] = frozenset(),
    ) -> None:
        """For the modules that make treebanks; users call `read_conllu` or `Treebank.from_columns`.

        Args:
            heads, deprel_ids: int32, one per word; nobody else writes to them.
            offsets: int64.
            ids: int32, one per word, each a place in its table.
            source: what holds all that is in no column: bytes that were read, or the tokens of running text.
            replaced: columns besides HEAD and DEPREL that are not as the source has them.
        """
        self._folded = None
        self._heads = heads
        self._offsets = frozen(offsets)
        self._deprel_ids = deprel_ids
        self._deprel_table = deprel_table
        self._ids = {name: frozen(column) for name, column in ids.items()}
        self._tables = tables
        self._source = source
        self._failures = failures or _NO_FAILURES
        self._sent_ids = sent_ids
        self._running: RunningText | None = None  # made when asked for; forms and notes never change
        self._replaced = replaced

    @classmethod
    def _of_sheet(cls, sheet: Any) -> Any:
        """A treebank of a sheet, or of what has a `sheet()`, a number of words and one of sentences."""
        self = cls.__new__(cls)
        self._folded = sheet
        return self

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet, or not at all."""
        if name not in WordColumns.__slots__ or name == "_folded":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._unfold()
        return object.__getattribute__(self, name)

    def _unfold(self) -> None:
        """Make the arrays, if they are not there yet."""
        if self._folded is not None:
            with _UNFOLDING:  # one thread does it
                if self._folded is not None:
                    self._sheet().into(self, _NO_FAILURES)
                    self._folded = None

    def _sheet(self) -> Sheet:
        """The columns for compiled code."""
        folded = self._folded
        if folded is None:
            return Sheet.of(self)
        if not isinstance(folded, Sheet):
            with _UNFOLDING:
                if isinstance(self._folded, Sheet) or self._folded is None:
                    return self._sheet()
                folded = self._folded = folded.sheet()
        return folded  # type: ignore[no-any-return]

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Pickles hold bytes: of what a tokenizer has found, those that are written for it."""
        names = [name for name in WordColumns.__slots__ if name not in ("__weakref__", "_folded")]
        state = {name: getattr(self, name) for name in names}
        return None, {**state, "_source": self._layout}

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Arrays come out of a pickle writable, whatever they were."""
        self._folded = None
        for name, value in state[1].items():
            setattr(self, name, value)
        self._offsets = frozen(self._offsets)
        self._ids = {name: frozen(column) for name, column in self._ids.items()}

    @property
    def _layout(self) -> Layout | None:
        """Where the words stand in bytes: those that were read, or those of the tokens alone, made now."""
        return layout_of(self._source) if isinstance(self._source, Tokenization) else self._source

    @property
    def offsets(self) -> np.ndarray[Any, Any]:
        """Where each sentence begins, and the number of words: int64, one more than there are sentences. Read only."""
        return self._offsets.view()

    @property
    def heads(self) -> np.ndarray[Any, Any]:
        """The head of every word, int32: 0 is the root, -1 none. Write to it, or assign as many numbers."""
        return self._heads.view()

    @heads.setter
    def heads(self, heads: Any) -> None:
        self._heads = whole_numbers(heads, len(self._heads), "heads")

    @property
    def deprel_ids(self) -> np.ndarray[Any, Any]:
        """The label of every word, int32: a place in `deprel_table`, -1 for none. Write to it, or assign as many."""
        return self._deprel_ids.view()

    @deprel_ids.setter
    def deprel_ids(self, ids: Any) -> None:
        self._deprel_ids = whole_numbers(ids, len(self._deprel_ids), "deprel_ids")

    @property
    def deprel_table(self) -> list[str]:
        """The labels by id; append new ones, or let `label_id` do it."""
        return self._deprel_table

    @deprel_table.setter
    def deprel_table(self, labels: Sequence[str]) -> None:
        self._unfold()
        self._deprel_table = checked_labels(labels)

    def ids(self, column: str) -> np.ndarray[Any, Any]:
        """The ids of a column, int32 per word. Read only, but for "deprel", which is `deprel_ids`."""
        if column == "deprel":
            return self.deprel_ids
        if column not in self._ids:
            self._look_up(column)
        return self._ids[column].view()

    def table(self, column: str) -> list[str]:
        """The strings of a column by id. Read only, but for "deprel", which is `deprel_table`."""
        if column == "deprel":
            return self.deprel_table
        if column not in self._tables:
            self._look_up(column)
        return self._tables[column].strings

    def hashes(self, column: str) -> np.ndarray[Any, Any]:
        """The stable 64-bit hash (`corpus.hashing`) of every string of a column, uint64 by id."""
        if column == "deprel":
            return StringTable.of(checked_labels(self._deprel_table)).hashes
        if column not in self._tables:
            self._look_up(column)
        return frozen(self._tables[column].hashes)

    def cells(self, column: str) -> tuple[np.ndarray[Any, Any], StringTable]:
        """The ids of a column (-1 is `_`) with the table they are of, in UTF-8: nothing becomes a Python string.

        Raises:
            Error: for labels that are not in the table.
        """
        if column == "deprel":
            self.require_labels()
            return self._deprel_ids.copy(), StringTable.of(checked_labels(self._deprel_table))
        return self.ids(column), self._tables[column]

    def cells_of(self, columns: Iterable[str]) -> list[tuple[np.ndarray[Any, Any], StringTable]]:
        """What `cells` gives, of several columns."""
        return [self.cells(column) for column in columns]

    def _look_up(self, column: str) -> None:
        """Fill DEPS or MISC, which few ask for, from the source."""
        if column not in COLUMNS:
            raise UnknownNameError(f"no column {column!r}: the columns are {', '.join(COLUMNS)}")
        source = self._source
        if isinstance(source, Layout):
            ids, self._tables[column] = read_tail(source.source, source.head_at, _TAIL[column])
        elif isinstance(source, Tokenization) and column == "misc":
            ids, self._tables[column] = source.misc()
        else:
            ids, self._tables[column] = np.zeros(self.n_words, np.int32), StringTable.of(["_"])
        self._ids[column] = frozen(ids)

    @property
    def n_words(self) -> int:
        folded = self._folded
        return len(self._heads) if folded is None else int(folded.n_words)

    @property
    def n_columns(self) -> int:
        """Of the lines it was read from: 10, or 8 of CoNLL-X."""
        return self._source.n_columns if isinstance(self._source, Layout) else 10

    @property
    def deprels(self) -> list[str]:
        """The label of every word; assign a list of as many labels to replace them."""
        return labels_by_id(self._deprel_table, self._deprel_ids)

    @deprels.setter
    def deprels(self, labels: Sequence[str]) -> None:
        if len(labels) != self.n_words:
            raise Error(f"{len(labels)} labels for {self.n_words} words: give one each")
        checked_labels(labels)
        known = {label: i for i, label in enumerate(self.deprel_table)}
        for label in labels:
            if label not in known:
                known[label] = len(self.deprel_table)
                self.deprel_table.append(label)
        self.deprel_ids[:] = [known[label] for label in labels]

    def require_labels(self) -> None:
        """Raise Error unless every id of `deprel_ids` is -1 or a place in `deprel_table`, whose items are strings."""
        ids, table = self._deprel_ids, checked_labels(self._deprel_table)
        if len(ids) and not -1 <= int(ids.min()) <= int(ids.max()) < len(table):
            wrong = int(np.argmax((ids < -1) | (ids >= len(table))))
            raise Error(
                f"label id {ids[wrong]} of word {wrong + 1} is not in deprel_table, which has {len(table)} labels. Add "
                f"the label with treebank.label_id(label)."
            )

    def label_id(self, label: str) -> int:
        """The id of a label, which joins `deprel_table` if it is new."""
        try:
            return self.deprel_table.index(label)
        except ValueError:
            self.deprel_table.append(label)
            return len(self.deprel_table) - 1
